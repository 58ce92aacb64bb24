/**
 * The file of a copy, under the link that its person got. The link of a session works in the browser of that
 * session alone, so one that is passed on is of no use. Every other request gets the same answer.
 */
import type { FastifyReply } from "fastify";
import { recordAudit } from "../../organization/audit-log/record.ts";
import { organization } from "../../organization/organization.ts";
import { type User, users } from "../../people/user.ts";
import { page } from "../../people/viewer/page.ts";
import type { Viewer } from "../../people/viewer/viewer.ts";
import { MissingFiles } from "../../platform/file-storage/missing-files.ts";
import type { PageRoute } from "../../platform/http/page-routes.ts";
import { runContentChange } from "../../platform/log/change.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import type { Services } from "../../services.ts";
import { ownDataLinks, readLink } from "../exports/link.ts";
import { withHeaders } from "../exports/pages.ts";
import { mayCopy } from "./copy.ts";
import { ownCopies } from "./copy-store.ts";

type FileServices = Pick<Services, "keyring" | "files" | "log">;

export function ownDataFiles(services: FileServices): PageRoute[] {
  const missing = new MissingFiles(services.log);
  return [
    page(
      {
        method: "GET",
        path: `${ownDataLinks.folder}:token`,
        organization: "active",
        session: "if any",
        instead: refuse,
      },
      async ({ reply, state, params, request, viewer }) => {
        const allowed = await accessFile(services, state, params.token, viewer);
        const file = allowed && (await services.files.open(allowed.fileKey));
        if (allowed && !file) missing.note({ organizationId: state.organizationId, id: allowed.copyId });
        if (!allowed || !file) return refuse(reply);
        const isRecorded = await recordDownload(state, allowed.user, request.ip).catch((error) => {
          file.stream.destroy();
          throw error;
        });
        if (!isRecorded) {
          file.stream.destroy();
          return refuse(reply);
        }
        const host = state.get(organization).host.replace(/[^a-z0-9.-]/gi, "-");
        return withHeaders(reply)
          .header("Content-Type", "application/gzip")
          .header("Content-Disposition", `attachment; filename="parley-own-data-${host}.tar.gz"`)
          .header("Content-Length", file.size)
          .send(file.stream);
      },
    ),
  ];
}

async function accessFile(
  { keyring }: Pick<FileServices, "keyring">,
  state: OrganizationState,
  token: string,
  viewer: Viewer | undefined,
): Promise<{ user: User; copyId: number; fileKey: string } | undefined> {
  const link = readLink(keyring, state, token, ownDataLinks);
  if (!link) return undefined;
  const { sessionId } = link;
  const credential = viewer?.credential;
  if (sessionId !== 0 && !(credential?.kind === "session" && credential.id === sessionId)) return undefined;
  const user = state.get(users).find(link.userId);
  if (!mayCopy(user)) return undefined;
  const row = await ownCopies.find(state.database, state.organizationId, link.exportId);
  if (row?.userId !== user.id || row.status !== "done" || row.fileKey === null) return undefined;
  return { user, copyId: row.id, fileKey: row.fileKey };
}

/** False for somebody who was deactivated: memory may have been older before. */
async function recordDownload(state: OrganizationState, user: User, address: string): Promise<boolean> {
  return runContentChange(state, async (tx) => {
    if (!mayCopy(state.get(users).find(user.id))) return false;
    const viewer = { state, user, client: "link", address };
    await recordAudit(Object.assign(tx, { viewer }), { action: "own_data_downloaded", targetId: user.id });
    return true;
  });
}

function refuse(reply: FastifyReply): FastifyReply {
  return withHeaders(reply)
    .code(404)
    .type("text/plain; charset=utf-8")
    .send(
      "This link does not work. It has ended, or it belongs to another browser. Your settings have new links.\n",
    );
}
