import type { Database } from "../db/database.ts";
import { sql } from "../db/sql.ts";

const DAY_MS = 24 * 3600 * 1000;
const DAYS_AHEAD = 3;
/** One more than the longest life of a queue that nobody polls, so that whatever a queue still needs is there. */
export const RETAINED_DAYS = 8;

/**
 * Makes the log's partitions for today and the next days, and drops those that no queue can need any more; one holds one
 * day (UTC), so old entries go without a long delete. Messages are not in them.
 * LOCK: an advisory lock, since several nodes do this.
 */
export async function keepEventPartitions(database: Database, now: Date = new Date()): Promise<void> {
  const today = now.getTime();
  const wanted = Array.from({ length: DAYS_AHEAD + 1 }, (_, ahead) => day(today + ahead * DAY_MS));
  const oldest = partitionOf(day(today - RETAINED_DAYS * DAY_MS));
  const existing = await listPartitions(database);
  const missing = wanted.filter((each) => !existing.includes(partitionOf(each)));
  const expired = existing.filter((name) => name < oldest);
  if (missing.length === 0 && expired.length === 0) return;
  await database.transaction(async (tx) => {
    await tx.query(sql`select pg_advisory_xact_lock(7202, 0)`);
    // Names and dates are made of letters and digits alone, so they may stand in the text.
    for (const each of missing) {
      await tx.client.query(
        `create table if not exists ${partitionOf(each)} partition of events
         for values from ('${each}') to ('${day(Date.parse(each) + DAY_MS)}')`,
      );
    }
    for (const name of expired) await tx.client.query(`drop table if exists ${name}`);
  });
}

async function listPartitions(database: Database): Promise<string[]> {
  const rows = await database.query<{ name: string }>(sql`
    select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'events'::regclass and c.relname ~ '^events_\\d{8}$'`);
  return rows.map((row) => row.name);
}

function day(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

/** Names sort by date. */
function partitionOf(date: string): string {
  return `events_${date.replaceAll("-", "")}`;
}
