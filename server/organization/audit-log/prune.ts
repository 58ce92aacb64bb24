import { changesBetween } from "./changes.ts";
import { type AuditedChange, recordAudit } from "./record.ts";
import { deleteAuditRowsBefore } from "./store.ts";

/** Deletes an organization's entries from before this time, and records that. Returns how many there were. */
export async function pruneAuditLog(tx: AuditedChange, before: Date): Promise<number> {
  const count = await deleteAuditRowsBefore(tx, tx.state.organizationId, before);
  const changes = {
    ...changesBetween({}, { before: before.toISOString() }),
    ...changesBetween({ count }, {}),
  };
  await recordAudit(tx, { action: "audit_log_pruned", changes });
  return count;
}
