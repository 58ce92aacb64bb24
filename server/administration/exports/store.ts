import type { ExportType } from "../../../api/administration/exports.ts";
import type { OrganizationId, UserId } from "../../../api/ids.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { sql } from "../../platform/db/sql.ts";

export type ExportStatus = "pending" | "done" | "failed" | "deleted";

export interface Export {
  id: number;
  actingUserId: UserId;
  type: ExportType;
  status: ExportStatus;
  requestedAt: Date;
  /** In percent. */
  progress: number;
  failureReason: string | null;
  /** When it was done, failed or was deleted. */
  endedAt: Date | null;
  /** Under which its file lies in the file storage. null: there is none. */
  fileKey: string | null;
}

const columns = sql`id, acting_user_id as "actingUserId", type, status, requested_at as "requestedAt", progress,
  failure_reason as "failureReason", ended_at as "endedAt", file_key as "fileKey"`;

export async function insertExport(
  tx: Queryable,
  organizationId: OrganizationId,
  { actingUserId, type }: Pick<Export, "actingUserId" | "type">,
): Promise<Export> {
  const [row] = await tx.query<Export>(sql`
    insert into exports (organization_id, acting_user_id, type)
    values (${organizationId}, ${actingUserId}, ${type})
    returning ${columns}`);
  return row as Export;
}

/** The newest exports, the oldest of them first. */
export async function listExports(
  tx: Queryable,
  organizationId: OrganizationId,
  limit: number,
): Promise<Export[]> {
  const rows = await tx.query<Export>(sql`
    select ${columns} from exports where organization_id = ${organizationId} order by id desc limit ${limit}`);
  return rows.reverse();
}

/** How many exports were asked for in the last days, and whether one of all is pending. */
export async function countRecentExports(
  tx: Queryable,
  organizationId: OrganizationId,
  days: number,
): Promise<{ count: number; isPending: boolean }> {
  const [row] = await tx.query<{ count: number; isPending: boolean }>(sql`
    select count(*) filter (where requested_at > now() - make_interval(days => ${days}))::int as count,
      coalesce(bool_or(status = 'pending'), false) as "isPending"
    from exports where organization_id = ${organizationId}`);
  return row as { count: number; isPending: boolean };
}

export async function findExport(
  tx: Queryable,
  organizationId: OrganizationId,
  id: number,
): Promise<Export | undefined> {
  const [row] = await tx.query<Export>(sql`
    select ${columns} from exports where organization_id = ${organizationId} and id = ${id}`);
  return row;
}

/** Begins a run of a pending export. What an earlier run still writes has no effect from now on. */
export async function startRun(
  tx: Queryable,
  organizationId: OrganizationId,
  id: number,
  runId: string,
): Promise<(Export & { starts: number }) | undefined> {
  const [row] = await tx.query<Export & { starts: number }>(sql`
    update exports set run_id = ${runId}, starts = starts + 1, active_at = now(), progress = 0
    where organization_id = ${organizationId} and id = ${id} and status = 'pending'
    returning ${columns}, starts`);
  return row;
}

/** A run that the node interrupted is not counted. */
export async function uncountStart(
  tx: Queryable,
  organizationId: OrganizationId,
  id: number,
  runId: string,
): Promise<void> {
  await tx.query(sql`
    update exports set starts = starts - 1
    where organization_id = ${organizationId} and id = ${id} and run_id = ${runId} and status = 'pending'`);
}

/** Returns false if another run works on the export by now, or none. */
export async function updateProgress(
  tx: Queryable,
  organizationId: OrganizationId,
  { id, runId, progress }: { id: number; runId: string; progress: number },
): Promise<boolean> {
  const rows = await tx.query(sql`
    update exports set progress = ${progress}, active_at = now()
    where organization_id = ${organizationId} and id = ${id} and run_id = ${runId} and status = 'pending'
    returning id`);
  return rows.length > 0;
}

/**
 * The key under which a run is going to store its file, so that nothing of it is left if the run breaks off.
 * Returns false if another run works on the export by now, or none.
 */
export async function updateFileKey(
  tx: Queryable,
  organizationId: OrganizationId,
  { id, runId, fileKey }: { id: number; runId: string; fileKey: string },
): Promise<boolean> {
  const rows = await tx.query(sql`
    update exports set file_key = ${fileKey}, active_at = now()
    where organization_id = ${organizationId} and id = ${id} and run_id = ${runId} and status = 'pending'
    returning id`);
  return rows.length > 0;
}

/**
 * Ends a pending export. With `runId`, only for that run. Returns false if it is not pending, or another run
 * works on it.
 */
export async function endExport(
  tx: Queryable,
  organizationId: OrganizationId,
  id: number,
  {
    status,
    runId = null,
    reason = null,
  }: { status: "done" | "failed"; runId?: string | null; reason?: string | null },
): Promise<boolean> {
  const rows = await tx.query(sql`
    update exports set status = ${status}, failure_reason = ${reason}, ended_at = now(), run_id = null,
      progress = case when ${status} = 'done' then 100 else progress end
    where organization_id = ${organizationId} and id = ${id} and status = 'pending'
      and (${runId}::uuid is null or run_id = ${runId}::uuid)
    returning id`);
  return rows.length > 0;
}

/** Marks the file as deleted. The key stays until the file is gone: see `clearFileKey`. */
export async function markDeleted(
  tx: Queryable,
  organizationId: OrganizationId,
  id: number,
): Promise<boolean> {
  const rows = await tx.query(sql`
    update exports set status = 'deleted', ended_at = now()
    where organization_id = ${organizationId} and id = ${id} and status = 'done'
    returning id`);
  return rows.length > 0;
}

/** To be called when the file under this key is gone. */
export async function clearFileKey(
  tx: Queryable,
  organizationId: OrganizationId,
  id: number,
  fileKey: string,
): Promise<void> {
  await tx.query(sql`
    update exports set file_key = null
    where organization_id = ${organizationId} and id = ${id} and file_key = ${fileKey}`);
}

/** An export that the clean-up has to look at. */
export interface Leftover {
  organizationId: OrganizationId;
  id: number;
  what: "expired" | "stuck" | "orphaned";
}

/**
 * For all organizations: files that are too old, pending exports on which no run has worked for long, and
 * files of exports that were deleted or failed.
 */
export async function listLeftovers(
  tx: Queryable,
  { fileDays, stuckHours, limit }: { fileDays: number; stuckHours: number; limit: number },
): Promise<Leftover[]> {
  return tx.query(sql`
    select organization_id as "organizationId", id, 'expired' as what from exports
    where status = 'done' and file_key is not null and ended_at < now() - make_interval(days => ${fileDays})
    union all
    select organization_id, id, 'orphaned' from exports
    where status in ('deleted', 'failed') and file_key is not null
    union all
    select organization_id, id, 'stuck' from exports
    where status = 'pending' and active_at < now() - make_interval(hours => ${stuckHours})
    limit ${limit}`);
}
