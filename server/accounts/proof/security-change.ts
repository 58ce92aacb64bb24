/**
 * What follows from a change of how an account is entered, and from what is done in its name that outlives a
 * session: an entry in the audit log, and a mail that nobody can switch off.
 */
import { type AuditAction, auditActions } from "../../../api/administration/audit-log.ts";
import { type AuditEntry, type AuditedChange, recordAudit } from "../../organization/audit-log/record.ts";
import { type User, users } from "../../people/user.ts";
import type { Viewer } from "../../people/viewer/viewer.ts";
import type { Change } from "../../platform/log/change.ts";
import type { Services } from "../../services.ts";
import { type AttemptRule, countSignInAttempt } from "../sign-in/store.ts";
import { mailActs, mailChange, mailRequest } from "./mails.ts";
import type { MailedList } from "./remaining-ways.ts";

type Parts = Pick<Services, "keyring" | "mailer">;

/** In half an hour, of one kind. Programs may change hundreds of roles, and the first mails say enough. */
const MAILS_OF_ACTS: AttemptRule = { limit: 5, maxDelaySeconds: null };

interface SecurityChange {
  action: AuditAction;
  what: string;
  times?: number;
  isRequest?: boolean;
  lists?: readonly MailedList[];
}

/**
 * A change of how somebody's account is entered. `times`: how many entries it is. `isRequest`: more is
 * needed for it to happen. `lists`: what the mail lists besides.
 */
export async function noteSecurityChange(
  tx: Change,
  services: Parts,
  user: User,
  { action, what, times = 1, isRequest = false, lists = [] }: SecurityChange,
): Promise<void> {
  const entry = { action, targetId: user.id, isMailed: true };
  for (let count = 0; count < times; count++) await recordAudit(tx, entry);
  if (isRequest) await mailRequest(tx, services, user, what);
  else await mailChange(tx, services, user, { what, lists });
}

/**
 * The viewer for a call that declares entries: when one is written, the account that asked for it gets a
 * mail. So nobody does anything by the key alone that its owner does not hear of.
 */
export function withNotice(services: Parts, viewer: Viewer, actions: readonly string[]): Viewer {
  const noteEntry = async (tx: AuditedChange, entry: AuditEntry) => {
    if (actions.includes(entry.action)) await mailEntry(tx, services, viewer, entry);
  };
  return { ...viewer, noteEntry };
}

async function mailEntry(
  tx: AuditedChange,
  services: Parts,
  { state, user: { id } }: Viewer,
  { action, targetId }: AuditEntry,
): Promise<void> {
  const { byId } = state.get(users);
  const user = byId.get(id);
  if (!user || !services.mailer.canSend) return;
  const mails = `mails about ${action} by user ${id}`;
  if (!(await countSignInAttempt(tx, state.organizationId, mails, MAILS_OF_ACTS))) return;
  const target = auditActions[action].target === "user" ? byId.get(targetId as User["id"]) : undefined;
  const whose = target && target.id !== id ? ` The account: ${target.fullName}.` : "";
  await mailActs(tx, services, { state, user }, `${auditActions[action].description}${whose}`);
}
