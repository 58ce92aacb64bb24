import type { Database } from "../db/database.ts";
import { lockClasses, schemaObjects } from "../db/locks.ts";
import { sql } from "../db/sql.ts";
import { libraryOptions } from "./library.ts";

/**
 * Makes the library's tables, in a schema of their own, so that jobs can be enqueued. The library is loaded only when they
 * are missing; it brings older ones up to date itself when it begins to work.
 * LOCK: an advisory lock, since several nodes may start at once.
 */
export async function prepareJobs(database: Database): Promise<void> {
  if (await isPrepared(database)) return;
  const client = await database.connect();
  try {
    await client.query("select pg_advisory_lock($1, $2)", [lockClasses.schema, schemaObjects.jobs]);
    if (await isPrepared(database)) return;
    const { runMigrations } = await import("graphile-worker");
    const { options, close } = await libraryOptions(database, { connections: 1 });
    await runMigrations(options).finally(close);
  } finally {
    await client.end();
  }
}

/** The newest function that we call must be there; before it nothing can be enqueued. */
async function isPrepared(database: Database): Promise<boolean> {
  const [row] = await database.query<{ isPrepared: boolean }>(sql`
    select to_regproc('graphile_worker.force_unlock_workers') is not null as "isPrepared"`);
  return row?.isPrepared === true;
}
