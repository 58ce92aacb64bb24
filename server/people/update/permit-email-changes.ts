import { changesBetween } from "../../organization/audit-log/changes.ts";
import { recordAudit } from "../../organization/audit-log/record.ts";
import type { Change } from "../../platform/log/change.ts";
import { patchOf } from "../../platform/log/projection.ts";
import { updateEmailPermission } from "../store.ts";
import { type User, users } from "../user.ts";

/**
 * Decides whether an administrator can change the email addresses of others. Only the server's operator may
 * decide that: with another's address one can sign in as them. No client learns of it.
 */
export async function permitEmailChanges(tx: Change, target: User, canChangeEmails: boolean): Promise<void> {
  await updateEmailPermission(tx, tx.state.organizationId, target.id, canChangeEmails);
  tx.appendPatch(patchOf(users, { put: [{ ...target, canChangeEmails }] }));
  const changes = changesBetween(
    { can_change_emails: target.canChangeEmails },
    { can_change_emails: canChangeEmails },
  );
  await recordAudit(tx, { action: "user_email_permission_changed", targetId: target.id, changes });
}
