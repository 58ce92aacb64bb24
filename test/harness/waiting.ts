// All test files share one PostgreSQL, in which other files' sessions and locks are listed as well. Their
// tables even have the same oids, since the databases are copies of one template. So whatever a test asks
// about sessions or locks names its database.
import type pg from "pg";
import type { Database } from "../../server/platform/db/database.ts";
import { sql } from "../../server/platform/db/sql.ts";

export interface WaitingSession {
  /** The number of its process. */
  id: number;
  /** What it is asked to do and waits with. */
  statement: string;
}

/** To extend a table takes a lock of a moment, which no transaction holds. */
const listWaiting = sql`
  select pid as id, query as statement from pg_stat_activity
  where datname = current_database() and backend_type = 'client backend'
    and wait_event_type = 'Lock' and wait_event <> 'extend'`;

/**
 * The sessions of this database that wait for locks. Asks on a connection of its own, since the shared one
 * may be the one that waits.
 */
export function waitingSessions(database: Database): Promise<WaitingSession[]> {
  return database.transaction((tx) => tx.query<WaitingSession>(listWaiting));
}

/** The same, for a test that has no more than a connection to the database. */
export async function waitingSessionsOf(client: pg.Client): Promise<WaitingSession[]> {
  const { rows } = await client.query<WaitingSession>(listWaiting.text);
  return rows;
}

/**
 * Resolves when so many connections wait for locks in this database, or when `end` has resolved before that.
 */
export async function untilWaiting(database: Database, count: number, end?: Promise<unknown>): Promise<void> {
  let hasEnded = false;
  const note = () => {
    hasEnded = true;
  };
  end?.then(note, note);
  while (!hasEnded && (await waitingSessions(database)).length < count)
    await new Promise((resolve) => setImmediate(resolve));
}
