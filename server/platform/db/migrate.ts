import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { FaultError } from "../faults/fault-error.ts";
import { lockClasses, schemaObjects } from "./locks.ts";
import { type ClientOrConfig, withClient } from "./with-client.ts";

export interface MigrateOptions {
  /** The directory of the numbered files; by default the one of this program. */
  directory?: string;
  /** How long to wait for tables, and for servers that a migration would break, in milliseconds. */
  patienceMs?: number;
  /** Gets a sentence when a migration waits. */
  onWait?: (sentence: string) => void;
}

interface Migration {
  id: number;
  name: string;
  file: string;
}

const PATIENCE_MS = 60_000;
const RETRY_MS = 500;
/** All that ask for a table after a migration wait behind it, so it gives up soon and tries again. */
const LOCK_MS = 100;

/**
 * Upgrades the database to the schema of this program: applies the missing migrations in order, each in one
 * transaction. Safe when several nodes start at once, and beside servers of older releases: a migration that
 * they can't work with waits until they are gone. Throws a HistoryError, whose message is a sentence for
 * people, if the database is newer than the program can work with, or such servers stay. Costs one query if
 * there is nothing to do.
 */
export async function migrate(database: ClientOrConfig, options: MigrateOptions = {}): Promise<void> {
  await withClient(database, (client) => applyMissing(client, options));
}

async function applyMissing(client: pg.ClientBase, options: MigrateOptions): Promise<void> {
  const migrations = listMigrations(options.directory);
  const applied = await listApplied(client);
  checkHistory(applied, migrations);
  for (const migration of migrations.slice(applied.length))
    await applyPatiently(client, migration, migrations, options);
}

async function applyPatiently(
  client: pg.ClientBase,
  migration: Migration,
  migrations: Migration[],
  { patienceMs = PATIENCE_MS, onWait }: MigrateOptions,
): Promise<void> {
  const deadline = Date.now() + patienceMs;
  for (let hasTold = false; ; ) {
    try {
      return await apply(client, migration, migrations);
    } catch (error) {
      if (!(error instanceof MigrationWaits)) throw error;
      if (Date.now() > deadline) throw new HistoryError(error.fault, error.message);
      if (!hasTold) onWait?.(error.message);
      hasTold = true;
    }
    await sleep(RETRY_MS);
  }
}

/** Applies the migration, unless another node has done so meanwhile. */
async function apply(client: pg.ClientBase, migration: Migration, migrations: Migration[]): Promise<void> {
  const file = path.basename(migration.file);
  await client.query("begin");
  try {
    // LOCK: held to the end of each migration's transaction, not for the session. So a lost connection frees
    // the lock, and a connection pooler in front of the server does no harm.
    await client.query("select pg_advisory_xact_lock($1, $2)", [
      lockClasses.schema,
      schemaObjects.migrations,
    ]);
    const applied = migration.id === 1 ? await makeHistory(client) : await listApplied(client);
    checkHistory(applied, migrations);
    if (applied.length < migration.id) {
      const text = readFileSync(migration.file, "utf8");
      const compatibleFrom = compatibleFromOf(text) ?? migration.id;
      await checkServers(client, file, compatibleFrom);
      await client.query(`set local lock_timeout = ${LOCK_MS}`);
      await client.query(text);
      await client.query(WRITE_APPLIED, [migration.id, migration.name, compatibleFrom]);
    }
    await client.query("commit");
  } catch (error) {
    await client.query("rollback").catch(() => {});
    if (error instanceof FaultError) throw error;
    if (error instanceof pg.DatabaseError && error.code === LOCK_NOT_AVAILABLE)
      throw new MigrationWaits(
        "migration-waits",
        `The migration ${file} waits for a table that another session holds. A transaction that is open for long does that, such as a dump of the database: pg_stat_activity shows it.`,
      );
    const reason = (error as Error).message;
    throw new Error(`The migration ${file} failed: ${reason}.`, { cause: error });
  }
}

const LOCK_NOT_AVAILABLE = "55P03";

// The first migrations were applied before the table had the last column.
const WRITE_APPLIED = `
  insert into migrations
  select * from jsonb_populate_record(null::migrations, jsonb_build_object(
    'id', $1::int, 'name', $2::text, 'applied_at', now(), 'compatible_from', $3::int
  ))`;

/** A line of a migration: servers that know this schema, or a later one, work beside it. */
const COMPATIBLE_FROM = /^-- compatible from: (\d+)$/m;

/** The lowest schema that a server has to know to work beside the migration, where it says so. */
export function compatibleFromOf(text: string): number | undefined {
  const [, schema] = COMPATIBLE_FROM.exec(text) ?? [];
  return schema === undefined ? undefined : Number(schema);
}

/** Throws MigrationWaits while a server runs that could not work beside the migration. */
async function checkServers(client: pg.ClientBase, file: string, compatibleFrom: number): Promise<void> {
  const oldest = await findOldestServer(client);
  if (oldest === undefined || oldest >= compatibleFrom) return;
  throw new MigrationWaits(
    "servers-older",
    `A server of an older Parley (schema ${oldest}) runs on this database and can't work beside the migration ${file}. Stop all servers of that release, then start this one.`,
  );
}

/** The lowest schema that a running server knows, of those that hold the lease of `server-lease.ts`. */
async function findOldestServer(client: pg.ClientBase): Promise<number | undefined> {
  const { rows } = await client.query<{ schema: number | null }>(
    `select min(objid::bigint)::int as schema from pg_locks
    where locktype = 'advisory' and classid = $1::oid and objsubid = 2 and granted
      and database = (select oid from pg_database where datname = current_database())`,
    [lockClasses.servers],
  );
  return rows[0]?.schema ?? undefined;
}

async function makeHistory(client: pg.ClientBase): Promise<Applied[]> {
  await client.query(
    `create table if not exists migrations (
      id int primary key, name text not null, applied_at timestamptz not null default now()
    )`,
  );
  return listApplied(client);
}

interface Applied {
  id: number;
  name: string;
  compatibleFrom: number | null;
}

const UNDEFINED_TABLE = "42P01";

async function listApplied(client: pg.ClientBase): Promise<Applied[]> {
  try {
    const { rows } = await client.query<Applied>(
      // The column comes with a migration.
      `select id, name, (to_jsonb(applied) ->> 'compatible_from')::int as "compatibleFrom"
      from migrations applied order by id`,
    );
    return rows;
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === UNDEFINED_TABLE) return [];
    throw error;
  }
}

export class HistoryError extends FaultError {}

/** Something else has to end before the migration can be applied. */
class MigrationWaits extends FaultError {}

/**
 * Checks that a program with this schema can work on the database as it is. Throws a HistoryError.
 * LOCK: to be called where no migration is applied meanwhile.
 */
export async function checkSchema(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ hasTable: boolean }>(
    `select to_regclass('migrations') is not null as "hasTable"`,
  );
  // A missing table would end the transaction of the caller.
  if (!rows[0]?.hasTable) return;
  checkHistory(await listApplied(client), listMigrations());
}

/**
 * Checks that the applied migrations are the first ones of this program. A newer release may have applied
 * more of them that servers of this one work beside.
 */
function checkHistory(applied: Applied[], migrations: Migration[]): void {
  const newest = applied.at(-1)?.id ?? 0;
  const later = applied.slice(migrations.length);
  const needed = Math.max(0, ...later.map(({ id, compatibleFrom }) => compatibleFrom ?? id));
  if (needed > migrations.length) {
    throw new HistoryError(
      "database-newer",
      `The database was made by a newer Parley (schema ${newest}; this one knows up to ${migrations.length}). Upgrade Parley, or restore a backup.`,
    );
  }
  const unknown = applied
    .slice(0, migrations.length)
    .find(({ id, name }, index) => id !== index + 1 || name !== migrations[index]?.name);
  if (unknown) {
    throw new HistoryError(
      "database-foreign",
      `The database has a migration ${unknown.id} "${unknown.name}" that this Parley does not know, so another program made it. Use another database.`,
    );
  }
}

let known: number | undefined;

/** The number of the newest migration of this program. */
export function ownSchema(): number {
  known ??= listMigrations().length;
  return known;
}

/** The files `NNNN_name.sql`, numbered from 1 without gaps. The build copies them to the compiled code. */
function listMigrations(directory = fileURLToPath(new URL("./migrations/", import.meta.url))): Migration[] {
  const files = readdirSync(directory).filter((file) => file.endsWith(".sql"));
  return files.sort().map((file, index) => {
    const [, number, name] = /^(\d{4})_([a-z0-9_]+)\.sql$/.exec(file) ?? [];
    if (!name || Number(number) !== index + 1) {
      throw new Error(
        `The migrations are not numbered without a gap: ${file} is number ${index + 1} in order.`,
      );
    }
    return { id: index + 1, name, file: path.join(directory, file) };
  });
}
