import { readdir, stat, utimes } from "node:fs/promises";
import path from "node:path";
import type { TObject } from "typebox";
import { sql } from "../../server/platform/db/sql.ts";
import type { Job } from "../../server/platform/jobs/job.ts";
import { runDueJobs } from "../../server/platform/jobs/run-due-jobs.ts";
import { keepEventPartitions } from "../../server/platform/log/partitions.ts";
import { queuesOf } from "../../server/platform/queues/organization-queues.ts";
import type { Services } from "../../server/services.ts";
import type { Harness } from "../harness/harness.ts";
import { jobsOf } from "../harness/jobs.ts";

const HOUR_MS = 3600 * 1000;

/** Lets so many hours pass: whatever the database, the files and the queues say of times becomes older. */
export async function pass(harness: Harness, hours: number): Promise<void> {
  const { database, config } = harness.services;
  await harness.services.queues.save();
  // A date can only be older by whole days.
  const days = Math.round(hours / 24);
  await keepEventPartitions(database, new Date(Date.now() - days * 24 * HOUR_MS));
  await keepEventPartitions(database, new Date(Date.now() - (days + 4) * 24 * HOUR_MS));
  const columns = await listTimes(harness.services);
  const update = (table: string, changes: readonly string[]) => `update ${table} set ${changes.join(", ")}`;
  const statements = [...columns].flatMap(([table, { away, changes }]) => [
    ...(away.length > 0 ? [update(table, away)] : []),
    update(table, changes),
  ]);
  await database.transaction(async ({ client }) => {
    await client.query(`set local parley_test.hours = '${hours}'`);
    for (const statement of statements) await client.query(statement);
    // The delivery of a scheduled message is for the time that the message has.
    await client.query(
      `update graphile_worker._private_jobs set payload = jsonb_set(payload::jsonb, '{deliverAt}',
        to_jsonb((payload ->> 'deliverAt')::bigint - ${hours * 3600}))::json
      where payload ->> 'deliverAt' is not null`,
    );
  });
  for (const state of [harness.state, harness.otherState]) {
    for (const queue of queuesOf(state).byId.values()) queue.lastSeenAt -= hours * HOUR_MS;
  }
  await ageFiles(config.files as string, hours);
}

/** Days by which dates of keys are out of the way of others meanwhile. */
const AWAY = 36_500;

interface TimeColumns {
  /** Before `changes`: a date of a key must not meet the one of another row on its way. */
  away: string[];
  changes: string[];
}

/** For each table what changes its columns that are times, in SQL. */
async function listTimes({ database }: Pick<Services, "database">): Promise<Map<string, TimeColumns>> {
  const rows = await database.query<{ name: string; column: string; type: string; isKey: boolean }>(sql`
    select c.oid::regclass::text as name, a.attname as column, a.atttypid::regtype::text as type,
      c.relkind = 'r' and exists (
        select from pg_index i where i.indrelid = c.oid and i.indisunique and a.attnum = any(i.indkey)
      ) as "isKey"
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace in ('public'::regnamespace, 'graphile_worker'::regnamespace)
      and c.relkind in ('r', 'p') and not c.relispartition and a.attnum > 0 and not a.attisdropped
      and a.attgenerated = ''
      and a.atttypid in ('timestamptz'::regtype, 'timestamptz[]'::regtype, 'date'::regtype)
    order by 1, 2`);
  const by = "make_interval(hours => current_setting('parley_test.hours')::int)";
  const tables = new Map<string, TimeColumns>();
  for (const { name, column, type, isKey } of rows) {
    const isAway = isKey && type === "date";
    const older =
      type === "date"
        ? `${column} + ${isAway ? AWAY : 0} - round(current_setting('parley_test.hours')::int / 24.0)::int`
        : type === "timestamp with time zone[]"
          ? `array(select each - ${by} from unnest(${column}) with ordinality as all_times (each, n) order by n)`
          : `${column} - ${by}`;
    const { away, changes } = tables.get(name) ?? { away: [], changes: [] };
    if (isAway) away.push(`${column} = ${column} - ${AWAY}`);
    tables.set(name, { away, changes: [...changes, `${column} = ${older}`] });
  }
  return tables;
}

async function ageFiles(dir: string, hours: number): Promise<void> {
  for (const name of await readdir(dir, { recursive: true }).catch(() => [])) {
    const file = path.join(dir, name);
    const { mtimeMs } = await stat(file);
    await utimes(file, new Date(mtimeMs - hours * HOUR_MS), new Date(mtimeMs - hours * HOUR_MS));
  }
}

/** Does what a server does by itself: its periodic jobs, the jobs that wait, and the end of queues. */
export async function work(harness: Harness, more: readonly Job<TObject, Services>[] = []): Promise<void> {
  const { services } = harness;
  const jobs = [...jobsOf(services), ...more];
  const run = { signal: new AbortController().signal, dueAt: new Date() };
  for (const job of jobs) if (job.schedule !== undefined) await job.run(services, {}, run);
  await runDueJobs(services, jobs);
  await services.outbound.settled();
  await services.queues.collect();
}
