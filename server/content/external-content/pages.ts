/** Pictures of other hosts, under the addresses that messages have for them. */
import type { FastifyInstance, FastifyReply } from "fastify";
import { organization } from "../../organization/organization.ts";
import { Hosts } from "../../platform/http/host.ts";
import { sendPublicFile } from "../../platform/http/send-file.ts";
import type { Services } from "../../services.ts";
import { FOLDER, readAddress } from "./addresses.ts";
import { IMAGE_TYPE, type ImageFailure, KEPT_DAYS, keyOf } from "./images.ts";

/** Only the reader's own cache keeps it: the address is the permission. */
const CACHE_CONTROL = `private, max-age=${KEPT_DAYS * 24 * 3600}, immutable`;

export function registerExternalContent(pages: FastifyInstance, services: Services): void {
  const hosts = new Hosts(services.config.publicUrl);
  pages.route<{ Params: { digest: string; hex: string } }>({
    method: ["GET", "HEAD"],
    url: `${FOLDER}:digest/:hex`,
    config: { isStoredFile: true },
    handler: async (request, reply) => {
      const { name } = hosts.read(request.headers.host);
      const state = await services.organizations.byHost(name);
      if (!state?.get(organization).isActive) return reply.callNotFound();
      const { organizationId } = state;
      const address = readAddress(services.keyring, organizationId, request.params);
      if (!address) return reply.callNotFound();
      const found = await services.externalImages.find(organizationId, address);
      if ("failure" in found) return refuse(reply, found.failure);
      return sendPublicFile(request, reply, services.files, {
        key: keyOf(organizationId, found.fileName),
        contentType: IMAGE_TYPE,
        tag: found.fileName,
        cacheControl: CACHE_CONTROL,
      });
    },
  });
}

/** What failed at the other host says nothing of the network that the server is in. */
function refuse(reply: FastifyReply, failure: ImageFailure): FastifyReply {
  const isBusy = failure === "busy";
  if (isBusy) reply.header("Retry-After", "5");
  return reply
    .code(isBusy ? 503 : 502)
    .header("Cache-Control", "no-store")
    .type("text/plain; charset=utf-8")
    .send(isBusy ? "Too many pictures are being fetched.\n" : "This picture can't be shown.\n");
}
