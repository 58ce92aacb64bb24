/**
 * The files of exports, under the links that administrators get. The link says for whom it was made, and that
 * account must still be an administrator. Every other request gets the same answer.
 */
import type { FastifyReply } from "fastify";
import { recordAudit } from "../../organization/audit-log/record.ts";
import { organization } from "../../organization/organization.ts";
import { type User, users } from "../../people/user.ts";
import { page } from "../../people/viewer/page.ts";
import { MissingFiles } from "../../platform/file-storage/missing-files.ts";
import { isolationHeaders } from "../../platform/http/answer.ts";
import type { PageRoute } from "../../platform/http/page-routes.ts";
import { runContentChange } from "../../platform/log/change.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import type { Services } from "../../services.ts";
import { mayExport } from "./events.ts";
import { exportLinks, readLink } from "./link.ts";
import { exportRuns } from "./store.ts";

type FileServices = Pick<Services, "keyring" | "files" | "log">;

export function exportFiles(services: FileServices): PageRoute[] {
  const missing = new MissingFiles(services.log);
  return [
    page(
      {
        method: "GET",
        path: `${exportLinks.folder}:token`,
        organization: "active",
        session: "none",
        instead: refuse,
      },
      async ({ reply, state, params, request }) => {
        const allowed = await accessFile(services, state, params.token);
        const file = allowed && (await services.files.open(allowed.fileKey));
        if (allowed && !file) missing.note({ organizationId: state.organizationId, id: allowed.exportId });
        if (!allowed || !file) return refuse(reply);
        const isRecorded = await recordDownload(state, allowed.user, allowed.exportId, request.ip).catch(
          (error) => {
            file.stream.destroy();
            throw error;
          },
        );
        if (!isRecorded) {
          file.stream.destroy();
          return refuse(reply);
        }
        const host = state.get(organization).host.replace(/[^a-z0-9.-]/gi, "-");
        const fileName = `parley-export-${host}-${allowed.exportId}.tar.gz`;
        return withHeaders(reply)
          .header("Content-Type", "application/gzip")
          .header("Content-Disposition", `attachment; filename="${fileName}"`)
          .header("Content-Length", file.size)
          .send(file.stream);
      },
    ),
  ];
}

/** The key of the file that the link leads to, if its administrator may fetch it now. */
async function accessFile(
  { keyring }: Pick<FileServices, "keyring">,
  state: OrganizationState,
  token: string,
): Promise<{ user: User; exportId: number; fileKey: string } | undefined> {
  const link = readLink(keyring, state, token);
  if (!link) return undefined;
  const user = state.get(users).find(link.userId);
  if (!mayExport(user)) return undefined;
  const row = await exportRuns.find(state.database, state.organizationId, link.exportId);
  if (row?.status !== "done" || row.fileKey === null) return undefined;
  return { user, exportId: row.id, fileKey: row.fileKey };
}

/** False for somebody who is no longer an administrator: memory may have been older before. */
async function recordDownload(
  state: OrganizationState,
  user: User,
  exportId: number,
  address: string,
): Promise<boolean> {
  return runContentChange(state, async (tx) => {
    if (!mayExport(state.get(users).find(user.id))) return false;
    const viewer = { state, user, client: "link", address };
    await recordAudit(Object.assign(tx, { viewer }), { action: "export_downloaded", targetId: exportId });
    return true;
  });
}

function refuse(reply: FastifyReply): FastifyReply {
  return withHeaders(reply)
    .code(404)
    .type("text/plain; charset=utf-8")
    .send(
      "This link does not work. It has ended, or the file was deleted. The list of exports has new links.\n",
    );
}

/** The address has a secret in it. */
export function withHeaders(reply: FastifyReply): FastifyReply {
  return reply
    .headers(isolationHeaders)
    .header("X-Content-Type-Options", "nosniff")
    .header("Content-Security-Policy", "default-src 'none'; sandbox")
    .header("Referrer-Policy", "no-referrer")
    .header("Cache-Control", "private, no-store");
}
