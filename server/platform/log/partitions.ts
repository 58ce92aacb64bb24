import type { Database } from "../db/database.ts";
import { lockClasses, lockToCommit } from "../db/locks.ts";
import { sql } from "../db/sql.ts";
import { definePeriodicJob, type JobContext } from "../jobs/job.ts";

const DAY_MS = 24 * 3600 * 1000;
const DAYS_AHEAD = 3;
/** One more than the longest life of a queue that nobody polls, so that whatever a queue still needs is there. */
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
 * Makes the log's partitions for today and the next days; one holds one day (UTC). Each is made as a table and then attached,
 * which lets those who write to the log go on meanwhile.
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
    // Names and dates are made of letters and digits alone, so they may stand in the text.
    for (const each of await missing()) {
      await tx.client.query(`
        create table if not exists ${partitionOf(each)} (like events including all);
        alter table events attach partition ${partitionOf(each)}
          for values from ('${each}') to ('${day(Date.parse(each) + DAY_MS)}')`);
    }
  });
}

/**
 * Drops the days that no queue can need any more, as a whole: there is no long delete. A day is detached first, beside
 * those who use the log; dropping it at once would have to wait for them, and everybody behind it. What was interrupted
 * is finished by the next run. A queue that would still need that day, after a long stop or by a clock that was wrong, goes
 * with it: its client registers anew and misses nothing. Messages are not in the log's partitions.
 * LOCK: an advisory lock, for the session that it has for itself.
 */
export async function dropOldPartitions(database: Database, now: Date = new Date()): Promise<void> {
  const oldest = partitionOf(day(now.getTime() - RETAINED_DAYS * DAY_MS));
  const expired = async () => (await listPartitions(database)).filter(({ name }) => name < oldest);
  if ((await expired()).length === 0) return;
  const client = await database.connect();
  try {
    await client.query("select pg_advisory_lock($1, 0)", [lockClasses.partitions]);
    for (const { name, isAttached, isDetaching } of await expired()) {
      // Before the log does, so that whoever finds a queue's row after reading its part of the log has read all of it.
      await client.query(`
        delete from event_queues q
        using (select organization_id, max(position) as newest from ${name} group by organization_id) gone
        where q.organization_id = gone.organization_id and q.cursor < gone.newest`);
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

/** Also those that were made or detached and not attached or dropped. */
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

/** Names sort by date. */
function partitionOf(date: string): string {
  return `events_${date.replaceAll("-", "")}`;
}
