import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { FaultError } from "../faults/fault-error.ts";
import { lockClasses, schemaObjects } from "./locks.ts";

export interface MigrateOptions {
  /** The directory of the numbered files; by default the one of this program. */
  directory?: string;
}

interface Migration {
  id: number;
  name: string;
  file: string;
}

/**
 * Upgrades the database to the schema of this program: applies the missing migrations in order, each in one
 * transaction. Safe when several nodes start at once. Throws a HistoryError, whose message is a sentence for
 * people, if the database is newer than the program. Costs one query if there is nothing to do.
 */
export async function migrate(
  database: pg.ClientBase | pg.ClientConfig,
  options: MigrateOptions = {},
): Promise<void> {
  const migrations = listMigrations(options.directory);
  if ("query" in database) return applyMissing(database, migrations);
  const client = new pg.Client(database);
  await client.connect();
  try {
    await applyMissing(client, migrations);
  } finally {
    await client.end();
  }
}

async function applyMissing(client: pg.ClientBase, migrations: Migration[]): Promise<void> {
  const applied = await listApplied(client);
  checkHistory(applied, migrations);
  for (const migration of migrations.slice(applied.length)) await apply(client, migration, migrations);
}

/** Applies the migration, unless another node has done so meanwhile. */
async function apply(client: pg.ClientBase, migration: Migration, migrations: Migration[]): Promise<void> {
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
      await client.query(readFileSync(migration.file, "utf8"));
      await client.query("insert into migrations (id, name) values ($1, $2)", [migration.id, migration.name]);
    }
    await client.query("commit");
  } catch (error) {
    await client.query("rollback").catch(() => {});
    if (error instanceof HistoryError) throw error;
    const reason = (error as Error).message;
    throw new Error(`The migration ${path.basename(migration.file)} failed: ${reason}.`, { cause: error });
  }
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
}

const UNDEFINED_TABLE = "42P01";

async function listApplied(client: pg.ClientBase): Promise<Applied[]> {
  try {
    const { rows } = await client.query<Applied>("select id, name from migrations order by id");
    return rows;
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === UNDEFINED_TABLE) return [];
    throw error;
  }
}

class HistoryError extends FaultError {}

/** Checks that the applied migrations are the first ones of this program. */
function checkHistory(applied: Applied[], migrations: Migration[]): void {
  const newest = applied.at(-1)?.id ?? 0;
  if (newest > migrations.length) {
    throw new HistoryError(
      "database-newer",
      `The database was made by a newer Parley (schema ${newest}; this one knows up to ${migrations.length}). Upgrade Parley, or restore a backup.`,
    );
  }
  const unknown = applied.find(({ id, name }, index) => id !== index + 1 || name !== migrations[index]?.name);
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
