import type { AuditChanges } from "../../organization/audit-log/changes.ts";
import type { AuditRow } from "../../organization/audit-log/read.ts";

/**
 * An entry as owners read it. The network is for the server's operator alone. An email address is shown as
 * the account's own setting allows it now.
 */
export function presentAuditEntry(row: AuditRow, seesEmailOf: (userId: number) => boolean) {
  const { id, at, actorId, client, action, targetType, targetId, changes } = row;
  const isVisible = targetType !== "user" || targetId === null || seesEmailOf(targetId);
  return {
    id,
    at: Math.floor(at.getTime() / 1000),
    actor_id: actorId,
    client,
    action,
    target_type: targetType,
    target_id: targetId,
    changes: isVisible ? changes : withoutEmail(changes),
  };
}

function withoutEmail(changes: AuditChanges): AuditChanges {
  return changes.email ? { ...changes, email: {} } : changes;
}
