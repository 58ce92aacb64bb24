import pg from "pg";
import type { Queryable } from "../db/database.ts";
import { lockClasses, tryLockQuery } from "../db/locks.ts";
import { Sql, sql } from "../db/sql.ts";

/** LOCK: while the session lasts, no other backup of this database is made. false: one is being made. */
export async function tryBackupLock(db: Queryable): Promise<boolean> {
  const [row] = await db.query<{ isHeld: boolean }>(tryLockQuery(lockClasses.backup, 0));
  return row?.isHeld === true;
}

/** The number of the newest migration; 0: the database is empty. */
export async function findSchema(db: Queryable): Promise<number> {
  const [table] = await db.query<{ isThere: boolean }>(
    sql`select to_regclass('migrations') is not null as "isThere"`,
  );
  if (!table?.isThere) return 0;
  const [row] = await db.query<{ id: number }>(sql`select coalesce(max(id), 0)::int as id from migrations`);
  return row?.id ?? 0;
}

/** The newest position of each organization's log. Some of them may be a moment older than others. */
export async function listHeads(db: Queryable): Promise<Record<string, number>> {
  const rows = await db.query<{ organizationId: number; head: number }>(
    sql`select organization_id::float8 as "organizationId", head::float8 as head from organization_logs`,
  );
  return Object.fromEntries(rows.map(({ organizationId, head }) => [organizationId, head]));
}

export interface TableName {
  schema: string;
  name: string;
}

/** All tables that hold rows, of all schemas but PostgreSQL's own. */
export async function listTables(db: Queryable): Promise<TableName[]> {
  return db.query(sql`
    select n.nspname as schema, c.relname as name
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and n.nspname not in ('pg_catalog', 'information_schema') and n.nspname !~ '^pg_toast'
    order by 1, 2`);
}

/** Reads the whole table, so that PostgreSQL compares the checksum of each page. */
export async function countRows(db: Queryable, { schema, name }: TableName): Promise<number> {
  const table = `${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(name)}`;
  const [row] = await db.query<{ count: number }>(
    new Sql(`select count(${table}.*)::float8 as count from ${table}`, [], undefined),
  );
  return row?.count ?? 0;
}

/** Compares each B-tree index with its rules, and returns how many there are. Needs a superuser. */
export async function checkIndexes(db: Queryable): Promise<number> {
  await db.query(sql`create extension if not exists amcheck`);
  const rows = await db.query(sql`
    select bt_index_check(c.oid)
    from pg_class c join pg_am a on a.oid = c.relam join pg_index i on i.indexrelid = c.oid
    where a.amname = 'btree' and c.relkind = 'i' and c.relpersistence = 'p' and i.indisvalid`);
  return rows.length;
}

export interface ArchiveSlot {
  name: string;
  /** From here on PostgreSQL keeps its log for the archive. */
  location: string;
  /** So much was written while the archive stood still that a part of the log is gone. */
  isLost: boolean;
}

/**
 * The name of a slot, and the name of the stream that it has sent. Backups and copies of a cluster have no
 * slots.
 */
export const SLOT_PREFIX = "parley_archive_";

export async function findArchiveSlot(db: Queryable): Promise<ArchiveSlot | undefined> {
  const [slot] = await db.query<ArchiveSlot>(sql`
    select slot_name as name, restart_lsn::text as location,
      coalesce(wal_status = 'lost' or restart_lsn is null, true) as "isLost"
    from pg_replication_slots where slot_name ^@ ${SLOT_PREFIX} and not temporary`);
  return slot;
}

export async function createArchiveSlot(db: Queryable, name: string): Promise<ArchiveSlot> {
  const [slot] = await db.query<ArchiveSlot>(sql`
    select slot_name as name, lsn::text as location, false as "isLost"
    from pg_create_physical_replication_slot(${name}, true)`);
  return slot as ArchiveSlot;
}

/** Ends the session that reads from the slot: PostgreSQL may not know yet that its process was killed. */
export async function freeSlot(db: Queryable, name: string): Promise<void> {
  await db.query(sql`
    select pg_terminate_backend(active_pid, 5000) from pg_replication_slots
    where slot_name = ${name} and active_pid is not null`);
}

export async function dropSlot(db: Queryable, name: string): Promise<void> {
  await freeSlot(db, name);
  await db.query(sql`select pg_drop_replication_slot(${name})`);
}

/**
 * Everything that is committed is before this location of the log. A commit that does not wait for the disk
 * is seen before it is in the log's file, so the log is written first if something of it is not.
 */
export async function findLogEnd(db: Queryable): Promise<string> {
  const [state] = await db.query<{ isWritten: boolean }>(
    sql`select pg_current_wal_insert_lsn() <= pg_current_wal_flush_lsn() as "isWritten"`,
  );
  if (!state?.isWritten) {
    await db.query(sql`set synchronous_commit = on`);
    // A commit of something that is in the log takes all before it along. Without it the commit would not
    // wait.
    await db.query(sql`select pg_logical_emit_message(true, 'parley', '')`);
  }
  const [row] = await db.query<{ location: string }>(
    sql`select pg_current_wal_flush_lsn()::text as location`,
  );
  return (row as { location: string }).location;
}
