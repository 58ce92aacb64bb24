/**
 * The page under which a file that a job made is downloaded, by a link that was made for one account. Every
 * request that may not have the file gets the same answer.
 */
import type { FastifyReply } from "fastify";
import type { AuditAction } from "../../../api/administration/audit-log.ts";
import { withNotice } from "../../accounts/proof/notice.ts";
import { recordAudit } from "../../organization/audit-log/record.ts";
import { organization } from "../../organization/organization.ts";
import { type User, users } from "../../people/user.ts";
import { page } from "../../people/viewer/page.ts";
import type { Viewer } from "../../people/viewer/viewer.ts";
import { MissingFiles } from "../../platform/file-storage/missing-files.ts";
import { isolationHeaders } from "../../platform/http/answer.ts";
import type { PageRoute } from "../../platform/http/page-routes.ts";
import { runContentChange } from "../../platform/log/change.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import type { Services } from "../../services.ts";
import { type Link, type LinkKind, readLink } from "./link.ts";
import type { MadeFile, RunStore } from "./run-store.ts";

type FileServices = Pick<Services, "files" | "keyring" | "log" | "mailer">;

export interface FilePage<Row extends MadeFile> {
  links: LinkKind;
  store: RunStore<Row>;
  /** Whether the link of a session works in the browser of that session alone. */
  isForOwnBrowser: boolean;
  /** Whether the account may have files of this kind now. */
  mayFetch(user: User | undefined): user is User;
  /** Whether this file is for the account that the link was made for. */
  isFor(row: Row, user: User): boolean;
  /** The entry of the audit log. */
  action: AuditAction;
  /** What the entry is about. */
  targetOf(row: Row): number;
  fileNameOf(host: string, row: Row): string;
  /** Why there may be no file, and where new links are. */
  refusal: string;
}

interface Allowed<Row> {
  row: Row;
  fileKey: string;
  user: User;
  /** Whether an API key asked for the link. */
  isByKey: boolean;
}

export function filePage<Row extends MadeFile>(services: FileServices, kind: FilePage<Row>): PageRoute {
  const missing = new MissingFiles(services.log);
  const refuse = (reply: FastifyReply) =>
    withHeaders(reply).code(404).type("text/plain; charset=utf-8").send(`${kind.refusal}\n`);
  return page(
    {
      method: "GET",
      path: `${kind.links.folder}:token`,
      organization: "active",
      session: "if any",
      instead: refuse,
    },
    async ({ reply, state, params, request, viewer }) => {
      const link = readLink(services.keyring, state, params.token, kind.links);
      const isElsewhere = kind.isForOwnBrowser && link && !isOfBrowser(link, viewer);
      const allowed = link && !isElsewhere ? await accessFile(state, kind, link) : undefined;
      const file = allowed && (await services.files.open(allowed.fileKey));
      if (allowed && !file) missing.note({ organizationId: state.organizationId, id: allowed.row.id });
      if (!allowed || !file) return refuse(reply);
      const isRecorded = await recordDownload(services, state, kind, allowed, request.ip).catch((error) => {
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
        .header("Content-Disposition", `attachment; filename="${kind.fileNameOf(host, allowed.row)}"`)
        .header("Content-Length", file.size)
        .send(file.stream);
    },
  );
}

function isOfBrowser({ sessionId }: Link, viewer: Viewer | undefined): boolean {
  const credential = viewer?.credential;
  return sessionId === 0 || (credential?.kind === "session" && credential.id === sessionId);
}

async function accessFile<Row extends MadeFile>(
  state: OrganizationState,
  kind: FilePage<Row>,
  link: Link,
): Promise<Allowed<Row> | undefined> {
  const user = state.get(users).find(link.userId);
  if (!kind.mayFetch(user)) return undefined;
  const row = await kind.store.find(state.database, state.organizationId, link.exportId);
  if (row?.status !== "done" || row.fileKey === null || !kind.isFor(row, user)) return undefined;
  return { row, fileKey: row.fileKey, user, isByKey: link.sessionId === 0 };
}

/**
 * Writes the entry of a download. A session showed a fresh proof for its link, and an API key showed nothing
 * else, so a mail tells the account of a file that left by its key. False for somebody who may not fetch the
 * file any more: memory may have been older before.
 */
async function recordDownload<Row extends MadeFile>(
  services: FileServices,
  state: OrganizationState,
  { mayFetch, action, targetOf }: FilePage<Row>,
  { row, user, isByKey }: Allowed<Row>,
  address: string,
): Promise<boolean> {
  return runContentChange(state, async (tx) => {
    if (!mayFetch(state.get(users).find(user.id))) return false;
    const viewer: Viewer = { state, user, client: "link", address };
    const noted = isByKey ? withNotice(services, viewer, [action]) : viewer;
    await recordAudit(Object.assign(tx, { viewer: noted }), { action, targetId: targetOf(row) });
    return true;
  });
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
