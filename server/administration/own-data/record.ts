import type { UserId } from "../../../api/ids.ts";
import { recordAudit } from "../../organization/audit-log/record.ts";
import type { Change } from "../../platform/log/change.ts";

/** Writes to the audit log that somebody's own data was copied on the command line. */
export async function recordOwnData(tx: Change, targetId: UserId): Promise<void> {
  await recordAudit(tx, { action: "own_data_exported", targetId });
}
