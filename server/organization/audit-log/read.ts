import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { runRead } from "../../platform/log/read.ts";
import { type AuditFilter, listAuditRows, type AuditRow as StoredAuditRow } from "./store.ts";

export type AuditRow = StoredAuditRow;

export interface AuditPage {
  /** The newest first. */
  rows: AuditRow[];
  /** Whether there is no older entry. */
  isLast: boolean;
}

/** Reads entries of an organization. Whether anybody may read them is for the caller to check. */
export async function readAuditLog(
  state: OrganizationState,
  filter: AuditFilter,
  limit: number,
): Promise<AuditPage> {
  const rows = await runRead(state, (tx) => listAuditRows(tx, state.organizationId, filter, limit + 1));
  return { rows: rows.slice(0, limit), isLast: rows.length <= limit };
}
