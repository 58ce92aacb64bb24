/**
 * The rows of files that jobs make: of exports, and of copies of people's own data. Both tables have the same
 * columns for it. A run is known by an id in the row, and the newest run is the one that counts.
 */
import type { OrganizationId } from "../../../api/ids.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { type Sql, sql } from "../../platform/db/sql.ts";

export type MadeFileStatus = "pending" | "done" | "failed" | "deleted";

export interface MadeFile {
  id: number;
  status: MadeFileStatus;
  requestedAt: Date;
  /** In percent. */
  progress: number;
  failureReason: string | null;
  /** When it was done, failed or was deleted. */
  endedAt: Date | null;
  /** Under which its file lies in the file storage. null: there is none. */
  fileKey: string | null;
}

export const madeFileColumns = sql`id, status, requested_at as "requestedAt", progress,
  failure_reason as "failureReason", ended_at as "endedAt", file_key as "fileKey"`;

/** A file that the clean-up has to look at. */
export interface Leftover {
  organizationId: OrganizationId;
  id: number;
  what: "expired" | "stuck" | "orphaned";
}

export class RunStore<Row extends MadeFile> {
  readonly #table: Sql;
  readonly #columns: Sql;

  /** `columns`: those of a row, with `madeFileColumns`. */
  constructor(table: Sql, columns: Sql) {
    this.#table = table;
    this.#columns = columns;
  }

  async find(tx: Queryable, organizationId: OrganizationId, id: number): Promise<Row | undefined> {
    const [row] = await tx.query<Row>(sql`
      select ${this.#columns} from ${this.#table} where organization_id = ${organizationId} and id = ${id}`);
    return row;
  }

  /** Begins a run of a pending file. What an earlier run still writes has no effect from now on. */
  async startRun(
    tx: Queryable,
    organizationId: OrganizationId,
    id: number,
    runId: string,
  ): Promise<(Row & { starts: number }) | undefined> {
    const [row] = await tx.query<Row & { starts: number }>(sql`
      update ${this.#table} set run_id = ${runId}, starts = starts + 1, active_at = now(), progress = 0
      where organization_id = ${organizationId} and id = ${id} and status = 'pending'
      returning ${this.#columns}, starts`);
    return row;
  }

  /** One that waits for its run is not taken for one that was left. */
  async noteWaiting(tx: Queryable, organizationId: OrganizationId, id: number): Promise<void> {
    await tx.query(sql`
      update ${this.#table} set active_at = now()
      where organization_id = ${organizationId} and id = ${id} and status = 'pending'`);
  }

  /** A run that the node interrupted is not counted. */
  async uncountStart(
    tx: Queryable,
    organizationId: OrganizationId,
    id: number,
    runId: string,
  ): Promise<void> {
    await tx.query(sql`
      update ${this.#table} set starts = starts - 1
      where organization_id = ${organizationId} and id = ${id} and run_id = ${runId} and status = 'pending'`);
  }

  /** Returns false if another run works on it by now, or none. */
  async updateProgress(
    tx: Queryable,
    organizationId: OrganizationId,
    { id, runId, progress }: { id: number; runId: string; progress: number },
  ): Promise<boolean> {
    const rows = await tx.query(sql`
      update ${this.#table} set progress = ${progress}, active_at = now()
      where organization_id = ${organizationId} and id = ${id} and run_id = ${runId} and status = 'pending'
      returning id`);
    return rows.length > 0;
  }

  /**
   * The key under which a run is going to store its file, so that nothing of it is left if the run breaks
   * off. Returns false if another run works on it by now, or none.
   */
  async updateFileKey(
    tx: Queryable,
    organizationId: OrganizationId,
    { id, runId, fileKey }: { id: number; runId: string; fileKey: string },
  ): Promise<boolean> {
    const rows = await tx.query(sql`
      update ${this.#table} set file_key = ${fileKey}, active_at = now()
      where organization_id = ${organizationId} and id = ${id} and run_id = ${runId} and status = 'pending'
      returning id`);
    return rows.length > 0;
  }

  /**
   * Ends a pending file. With `runId`, only for that run. Returns false if it is not pending, or another run
   * works on it.
   */
  async end(
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
      update ${this.#table} set status = ${status}, failure_reason = ${reason}, ended_at = now(), run_id = null,
        progress = case when ${status} = 'done' then 100 else progress end
      where organization_id = ${organizationId} and id = ${id} and status = 'pending'
        and (${runId}::uuid is null or run_id = ${runId}::uuid)
      returning id`);
    return rows.length > 0;
  }

  /** Marks the file as deleted. The key stays until the file is gone: see `clearFileKey`. */
  async markDeleted(tx: Queryable, organizationId: OrganizationId, id: number): Promise<boolean> {
    const rows = await tx.query(sql`
      update ${this.#table} set status = 'deleted', ended_at = now()
      where organization_id = ${organizationId} and id = ${id} and status = 'done'
      returning id`);
    return rows.length > 0;
  }

  /** To be called when the file under this key is gone. */
  async clearFileKey(
    tx: Queryable,
    organizationId: OrganizationId,
    id: number,
    fileKey: string,
  ): Promise<void> {
    await tx.query(sql`
      update ${this.#table} set file_key = null
      where organization_id = ${organizationId} and id = ${id} and file_key = ${fileKey}`);
  }

  /**
   * For all organizations: files that are too old, pending ones on which no run has worked for long, and
   * files of those that were deleted or failed.
   */
  async listLeftovers(
    tx: Queryable,
    { fileDays, stuckHours, limit }: { fileDays: number; stuckHours: number; limit: number },
  ): Promise<Leftover[]> {
    return tx.query(sql`
      select organization_id as "organizationId", id, 'expired' as what from ${this.#table}
      where status = 'done' and file_key is not null and ended_at < now() - make_interval(days => ${fileDays})
      union all
      select organization_id, id, 'orphaned' from ${this.#table}
      where status in ('deleted', 'failed') and file_key is not null
      union all
      select organization_id, id, 'stuck' from ${this.#table}
      where status = 'pending' and active_at < now() - make_interval(hours => ${stuckHours})
      limit ${limit}`);
  }
}
