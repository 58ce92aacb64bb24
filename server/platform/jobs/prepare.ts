import type { Database } from "../db/database.ts";
import { lockClasses, schemaObjects } from "../db/locks.ts";
import { sql } from "../db/sql.ts";
import { libraryOptions } from "./library.ts";
import { loadLibrary } from "./load-library.ts";

/**
 * Creates the library's tables, in a schema of their own, so that jobs can be enqueued. The library is only
 * loaded when the tables are missing. It migrates older tables itself when it starts to work.
 * LOCK: an advisory lock, since several nodes may start at once.
 */
export async function prepareJobs(database: Database): Promise<void> {
  if (await isPrepared(database)) return;
  const client = await database.connect("jobs");
  try {
    await client.query("select pg_advisory_lock($1, $2)", [lockClasses.schema, schemaObjects.jobs]);
    if (await isPrepared(database)) return;
    const { runMigrations } = loadLibrary();
    const { options, close } = await libraryOptions(database, { connections: 1 });
    await runMigrations(options).finally(close);
  } finally {
    await client.end();
  }
}

/** Whether the newest function that we call exists. Before that nothing can be enqueued. */
async function isPrepared(database: Database): Promise<boolean> {
  const [row] = await database.query<{ isPrepared: boolean }>(sql`
    select to_regproc('graphile_worker.force_unlock_workers') is not null as "isPrepared"`);
  return row?.isPrepared === true;
}
