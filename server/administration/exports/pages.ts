/**
 * The files of exports, under the links that administrators get. The link says for whom it was made, and that
 * account must still be an administrator. Every other request gets the same answer.
 */
import type { FastifyInstance, FastifyReply } from "fastify";
import { recordAudit } from "../../organization/audit-log/record.ts";
import { organization } from "../../organization/organization.ts";
import { type User, users } from "../../people/user.ts";
import { isolationHeaders } from "../../platform/http/answer.ts";
import { Hosts } from "../../platform/http/host.ts";
import { runContentChange } from "../../platform/log/change.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import type { Services } from "../../services.ts";
import { mayExport } from "./events.ts";
import { LINK_FOLDER, readLink } from "./link.ts";
import { findExport } from "./store.ts";

type Linked = { Params: { token: string } };

export function registerExportFiles(pages: FastifyInstance, services: Services): void {
  const hosts = new Hosts(services.config.publicUrl);
  pages.get<Linked>(`${LINK_FOLDER}:token`, { exposeHeadRoute: false }, async (request, reply) => {
    const { name } = hosts.read(request.headers.host);
    const state = await services.organizations.byHost(name);
    const allowed = state && (await accessFile(services, state, request.params.token));
    const file = allowed && (await services.files.open(allowed.fileKey));
    if (!state || !allowed || !file) return refuse(reply);
    try {
      await recordDownload(state, allowed.user, allowed.exportId, request.ip);
    } catch (error) {
      file.stream.destroy();
      throw error;
    }
    const host = state.get(organization).host.replace(/[^a-z0-9.-]/gi, "-");
    const fileName = `parley-export-${host}-${allowed.exportId}.tar.gz`;
    return withHeaders(reply)
      .header("Content-Type", "application/gzip")
      .header("Content-Disposition", `attachment; filename="${fileName}"`)
      .header("Content-Length", file.size)
      .send(file.stream);
  });
}

/** The key of the file that the link leads to, if its administrator may fetch it now. */
async function accessFile(
  { keyring }: Services,
  state: OrganizationState,
  token: string,
): Promise<{ user: User; exportId: number; fileKey: string } | undefined> {
  const link = readLink(keyring, state.organizationId, token);
  if (!link) return undefined;
  // Another node may have taken the role away.
  await state.catchUp();
  const user = state.get(users).find(link.userId);
  if (!state.get(organization).isActive || !mayExport(user)) return undefined;
  const row = await findExport(state.database, state.organizationId, link.exportId);
  if (row?.status !== "done" || row.fileKey === null) return undefined;
  return { user, exportId: row.id, fileKey: row.fileKey };
}

async function recordDownload(
  state: OrganizationState,
  user: User,
  exportId: number,
  address: string,
): Promise<void> {
  await runContentChange(state, async (tx) => {
    const viewer = { state, user, client: "link", address };
    await recordAudit(Object.assign(tx, { viewer }), { action: "export_downloaded", targetId: exportId });
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
function withHeaders(reply: FastifyReply): FastifyReply {
  return reply
    .headers(isolationHeaders)
    .header("X-Content-Type-Options", "nosniff")
    .header("Content-Security-Policy", "default-src 'none'; sandbox")
    .header("Referrer-Policy", "no-referrer")
    .header("Cache-Control", "private, no-store");
}
