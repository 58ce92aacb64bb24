import type { ExportRecord } from "../../../api/administration/exports.ts";
import type { UserId } from "../../../api/ids.ts";
import type { Keyring } from "../../platform/crypto/keyring.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { exportLink } from "./link.ts";
import type { Export } from "./store.ts";

/** An export as the log keeps it: without a link, which each reader gets for themselves. */
export type LoggedExport = Omit<ExportRecord, "export_url"> & { has_file: boolean };

export function logged(row: Export): LoggedExport {
  const endedAt = row.endedAt && secondsOf(row.endedAt);
  return {
    id: row.id,
    acting_user_id: row.actingUserId,
    export_time: secondsOf(row.requestedAt),
    deleted_timestamp: row.status === "deleted" ? endedAt : null,
    failed_timestamp: row.status === "failed" ? endedAt : null,
    pending: row.status === "pending",
    export_type: row.type,
    progress: row.progress,
    failure_reason: row.failureReason,
    has_file: row.status === "done",
  };
}

export interface LinkPlace {
  keyring: Keyring;
  state: OrganizationState;
  /** The address of the organization. */
  site: string;
}

/**
 * An export for one administrator. `linkedTo`: their account, for a new link that ends with its API key.
 * undefined: they are in a session, which gets no link without a proof.
 */
export function presentExport(
  { keyring, state, site }: LinkPlace,
  linkedTo: UserId | undefined,
  { has_file, ...fields }: LoggedExport,
): ExportRecord {
  if (!has_file || linkedTo === undefined) return { ...fields, export_url: null };
  const link = exportLink(keyring, state, { exportId: fields.id, userId: linkedTo, sessionId: 0 });
  return { ...fields, export_url: `${site}${link}` };
}

function secondsOf(time: Date): number {
  return Math.floor(time.getTime() / 1000);
}
