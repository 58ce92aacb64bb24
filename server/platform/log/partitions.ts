import type { Database } from "../db/database.ts";
import { lockClasses, lockToCommit } from "../db/locks.ts";
import { sql } from "../db/sql.ts";
import { definePeriodicJob, type JobContext } from "../jobs/job.ts";

const DAY_MS = 24 * 3600 * 1000;
const DAYS_AHEAD = 3;
/** One more than a queue can live without a poll, so no queue can miss entries that it still needs. */
export const RETAINED_DAYS = 8;

export const keepPartitions = definePeriodicJob({
  name: "keep_event_partitions",
  schedule: "7 * * * *",
  async run({ database }: JobContext) {
    await keepEventPartitions(database);
    await dropOldPartitions(database);
  },
});

/**
 * Creates the log's partitions for today and the next days. One partition holds one day (UTC). Each is
 * created as a table and then attached, so that writes to the log go on meanwhile.
 * LOCK: an advisory lock, since several nodes do this.
 */
export async function keepEventPartitions(database: Database, now: Date = new Date()): Promise<void> {
  const wanted = Array.from({ length: DAYS_AHEAD + 1 }, (_, ahead) => day(now.getTime() + ahead * DAY_MS));
  const missing = async () => {
    const attached = (await listPartitions(database)).filter(({ isAttached }) => isAttached);
    const names = new Set(attached.map(({ name }) => name));
    return wanted.filter((each) => !names.has(partitionOf(each)));
  };
  if ((await missing()).length === 0) return;
  await database.transaction(async (tx) => {
    await lockToCommit(tx, lockClasses.partitions, 0);
    // The names and dates hold only letters, digits, `_` and `-`, so they are safe in the text of the
    // statement.
    for (const each of await missing()) {
      await tx.client.query(`
        create table if not exists ${partitionOf(each)} (like events including all)
          with (autovacuum_vacuum_insert_scale_factor = 0.01);
        alter table events attach partition ${partitionOf(each)}
          for values from ('${each}') to ('${day(Date.parse(each) + DAY_MS)}')`);
    }
  });
}

/**
 * Drops the days that no queue can need any more. A whole partition goes at once, so there is no long delete.
 *
 * A partition is first detached concurrently. To drop it directly would wait for all transactions that use
 * the log, and later ones would wait behind the drop. The next run finishes a drop that was interrupted. A
 * queue that still needs such a day, after a long stop or because of a wrong clock, is deleted with it. Its
 * client registers again and misses nothing, since messages are not in the log's partitions.
 * LOCK: an advisory lock of the session, which is used for nothing else.
 */
export async function dropOldPartitions(database: Database, now: Date = new Date()): Promise<void> {
  const oldest = partitionOf(day(now.getTime() - RETAINED_DAYS * DAY_MS));
  const expired = async () => (await listPartitions(database)).filter(({ name }) => name < oldest);
  if ((await expired()).length === 0) return;
  const client = await database.connect("partitions");
  try {
    await client.query("select pg_advisory_lock($1, 0)", [lockClasses.partitions]);
    for (const { name, isAttached, isDetaching } of await expired()) {
      // Queues go before their part of the log. So a reader that finds a queue's row after it read the log
      // has read all of that part. One look-up a queue: to go through a day of the log would take long.
      await client.query(`
        delete from event_queues q where exists (
          select from ${name} e where e.organization_id = q.organization_id and e.position > q.cursor offset 0)`);
      if (isDetaching) await client.query(`alter table events detach partition ${name} finalize`);
      else if (isAttached) await client.query(`alter table events detach partition ${name} concurrently`);
      await client.query(`drop table ${name}`);
    }
  } finally {
    await client.end();
  }
}

interface Partition {
  name: string;
  isAttached: boolean;
  isDetaching: boolean;
}

/**
 * Includes tables that were created but not attached yet, and those that were detached but not dropped yet.
 */
async function listPartitions(database: Database): Promise<Partition[]> {
  return database.query(sql`
    select c.relname as name, i.inhrelid is not null as "isAttached",
      coalesce(i.inhdetachpending, false) as "isDetaching"
    from pg_class c left join pg_inherits i on i.inhrelid = c.oid and i.inhparent = 'events'::regclass
    where c.relnamespace = (select relnamespace from pg_class where oid = 'events'::regclass) and c.relkind = 'r'
      and c.relname ~ '^events_\\d{8}$'`);
}

function day(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

/** The order of the names is the order of the dates. */
function partitionOf(date: string): string {
  return `events_${date.replaceAll("-", "")}`;
}
