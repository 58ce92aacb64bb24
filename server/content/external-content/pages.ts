/** Pictures of other hosts, under the addresses that messages have for them. */

import type { FastifyReply } from "fastify";
import { ApiError, errors } from "../../../api/errors.ts";
import { page } from "../../people/viewer/page.ts";
import type { PageRoute } from "../../platform/http/page-routes.ts";
import { sendPublicFile } from "../../platform/http/send-file.ts";
import type { Services } from "../../services.ts";
import { FOLDER, readAddress } from "./addresses.ts";
import { fetchPartsOf } from "./fetch-parts.ts";
import { ExternalImages, IMAGE_TYPE, type ImageFailure, KEPT_DAYS, keyOf } from "./images.ts";

/** Only the reader's own cache keeps it: the address is the permission. */
const CACHE_CONTROL = `private, max-age=${KEPT_DAYS * 24 * 3600}, immutable`;

export function externalPictures(services: Services): PageRoute[] {
  const { database, files } = services;
  const images = new ExternalImages({ ...fetchPartsOf(services), database, files });
  return [
    page(
      {
        method: "GET",
        path: `${FOLDER}:digest/:hex`,
        organization: "active",
        session: "none",
        instead: refuseMissing,
        limit: "files",
      },
      async ({ request, reply, state: { organizationId }, params }) => {
        const address = readAddress(services.keyring, organizationId, params);
        if (!address) throw new ApiError(errors.notFound);
        const found = await images.find(organizationId, address);
        if ("failure" in found) return refuse(reply, found.failure);
        return sendPublicFile(request, reply, services.files, {
          key: keyOf(organizationId, found.fileName),
          contentType: IMAGE_TYPE,
          tag: found.fileName,
          cacheControl: CACHE_CONTROL,
        });
      },
    ),
  ];
}

function refuseMissing(): never {
  throw new ApiError(errors.notFound);
}

/** What failed at the other host says nothing of the network that the server is in. */
function refuse(reply: FastifyReply, failure: ImageFailure): FastifyReply {
  const isBusy = failure === "busy" || failure === "stopped";
  if (isBusy) reply.header("Retry-After", "5");
  return reply
    .code(isBusy ? 503 : 502)
    .header("Cache-Control", "no-store")
    .type("text/plain; charset=utf-8")
    .send(isBusy ? "Too many pictures are being fetched.\n" : "This picture can't be shown.\n");
}
