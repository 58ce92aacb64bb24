import type { ExportType } from "../../../api/administration/exports.ts";
import { ApiError, errors } from "../../../api/errors.ts";
import { MAX_EXPORTS_A_WEEK } from "../../../api/limits.ts";
import { changesBetween } from "../../organization/audit-log/changes.ts";
import { recordAudit } from "../../organization/audit-log/record.ts";
import type { ViewerChange } from "../../people/viewer/change.ts";
import { checkAdministrator } from "../../people/viewer/current-viewer.ts";
import { enqueue } from "../../platform/jobs/enqueue.ts";
import type { Change } from "../../platform/log/change.ts";
import { announceExports } from "./events.ts";
import { exportToMake } from "./make.ts";
import { countRecentExports, type Export, exportRuns, insertExport } from "./store.ts";

const WEEK_DAYS = 7;

/**
 * Begins an export. Administrators get an event. Throws `tooManyExports` or `exportPending`. Run it as a
 * change of state: these come one after another, so two calls never begin two.
 */
export async function createExport(tx: ViewerChange, type: ExportType): Promise<Export> {
  checkAdministrator(tx.viewer);
  const { organizationId } = tx.state;
  const { count, isPending } = await countRecentExports(tx, organizationId, WEEK_DAYS);
  if (isPending) throw new ApiError(errors.exportPending);
  if (count >= MAX_EXPORTS_A_WEEK) throw new ApiError(errors.tooManyExports);
  const row = await insertExport(tx, organizationId, { actingUserId: tx.viewer.user.id, type });
  await enqueue(
    tx,
    exportToMake,
    { organizationId, exportId: row.id },
    { key: `${organizationId}:${row.id}` },
  );
  await recordExport(tx, row.id, type);
  await announceExports(tx);
  return row;
}

/** Writes to the audit log that an export is made. On the command line it has no id. */
export async function recordExport(
  tx: Change,
  id: number | undefined,
  type: ExportType | "whole",
): Promise<void> {
  const changes = changesBetween({}, { export_type: type });
  await recordAudit(tx, { action: "export_created", targetId: id, changes });
}

/** An export with a file. Throws `noSuchExport`, and for one without a file why it has none. */
export async function accessExportFile(tx: ViewerChange, id: number): Promise<Export> {
  checkAdministrator(tx.viewer);
  const row = await exportRuns.find(tx, tx.state.organizationId, id);
  if (!row) throw new ApiError(errors.noSuchExport);
  if (row.status === "pending") throw new ApiError(errors.exportStillPending);
  if (row.status === "failed") throw new ApiError(errors.exportFailed);
  if (row.status === "deleted") throw new ApiError(errors.exportAlreadyDeleted);
  return row;
}

/**
 * Marks the file of an export as deleted. Administrators get an event. Returns the key of the file, which the
 * caller deletes after the commit. Throws what `accessExportFile` throws.
 */
export async function deleteExport(tx: ViewerChange, id: number): Promise<string | null> {
  const { fileKey } = await accessExportFile(tx, id);
  await removeFile(tx, id);
  return fileKey;
}

/** For the clean-up too. */
export async function removeFile(tx: Change, id: number): Promise<void> {
  if (!(await exportRuns.markDeleted(tx, tx.state.organizationId, id))) return;
  await recordAudit(tx, { action: "export_deleted", targetId: id });
  await announceExports(tx);
}
