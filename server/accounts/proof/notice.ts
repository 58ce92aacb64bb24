/** The mail about what was done in somebody's name that outlives a session. Nobody can switch it off. */
import { auditActions } from "../../../api/administration/audit-log.ts";
import type { AuditEntry, AuditedChange } from "../../organization/audit-log/record.ts";
import { type User, users } from "../../people/user.ts";
import type { Viewer } from "../../people/viewer/viewer.ts";
import type { Services } from "../../services.ts";
import { type AttemptRule, countSignInAttempt } from "../sign-in/store.ts";
import { mailActs } from "./mails.ts";

type Parts = Pick<Services, "keyring" | "mailer">;

/** In half an hour, of one kind. Programs may change hundreds of roles, and the first mails say enough. */
const MAILS_OF_ACTS: AttemptRule = { limit: 5, maxDelaySeconds: null };

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
