import type { Database } from "../../server/platform/db/database.ts";
import { sql } from "../../server/platform/db/sql.ts";

/**
 * Resolves when so many connections wait for locks in this database, or when `end` has resolved before that.
 */
export async function untilWaiting(database: Database, count: number, end?: Promise<unknown>): Promise<void> {
  let hasEnded = false;
  const note = () => {
    hasEnded = true;
  };
  end?.then(note, note);
  while (!hasEnded && (await waiting(database)) < count)
    await new Promise((resolve) => setImmediate(resolve));
}

/** Queries on its own connection, since the shared one may be the one that waits. */
function waiting(database: Database): Promise<number> {
  return database.transaction(async (tx) => {
    const [row] = await tx.query<{ count: number }>(sql`
      select count(*) as count from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`);
    return (row as { count: number }).count;
  });
}
