/** SQL on the tables and functions of graphile-worker, which are in a schema of their own. */
import type { Queryable } from "../db/database.ts";
import { type Sql, sql } from "../db/sql.ts";

export interface NewJob {
  name: string;
  payload: object;
  /** Earliest time; null: at once. */
  runAt: Date | null;
  maxAttempts: number;
  /** A waiting job with this key is replaced; null: nothing is replaced. */
  key: string | null;
}

export async function insertJob(db: Queryable, job: NewJob): Promise<void> {
  await db.query(sql`
    select from graphile_worker.add_job(
      identifier => ${job.name}::text,
      payload => ${JSON.stringify(job.payload)}::json,
      run_at => ${job.runAt}::timestamptz,
      max_attempts => ${job.maxAttempts}::int,
      job_key => ${job.key}::text)`);
}

/** For `compiled`: a job for each row of `from`. The name of the job comes before its key. */
export function jobForEach({
  name,
  maxAttempts,
  payload,
  key,
  from,
}: Pick<NewJob, "name" | "maxAttempts"> & { payload: Sql; key: Sql; from: Sql }): Sql {
  return sql`
    select 1 as job from ${from} cross join lateral graphile_worker.add_job(
      identifier => ${() => name}::text,
      payload => (${payload})::json,
      max_attempts => ${() => maxAttempts}::int,
      job_key => ${() => name}::text || ':' || ${key}) as added`;
}

export async function countJobsByState(db: Queryable): Promise<{ due: number; failed: number }> {
  const [row] = await db.query<{ due: number; failed: number }>(sql`
    select count(*) filter (where attempts < max_attempts and locked_at is null and run_at <= now()) as due,
      count(*) filter (where attempts >= max_attempts and locked_at is null) as failed
    from graphile_worker.jobs`);
  return row ?? { due: 0, failed: 0 };
}

export interface LateJobs {
  /** Have failed for good in the last day. */
  failed: number;
  /** How long the oldest job that is due has waited, in seconds; 0: none is due. */
  waitedSeconds: number;
}

export async function findLateJobs(db: Queryable): Promise<LateJobs> {
  const [row] = await db.query<LateJobs>(sql`
    select count(*) filter (
        where attempts >= max_attempts and locked_at is null and updated_at > now() - interval '1 day'
      )::int as failed,
      coalesce(extract(epoch from now() - min(run_at) filter (
        where attempts < max_attempts and locked_at is null and run_at <= now()
      )), 0)::float8 as "waitedSeconds"
    from graphile_worker.jobs`);
  return row ?? { failed: 0, waitedSeconds: 0 };
}

/** Makes a job due now, as if it had been tried `attempts` times. */
export async function rescheduleJob(db: Queryable, id: string, attempts: number): Promise<void> {
  await db.query(sql`
    select from graphile_worker.reschedule_jobs(array[${id}::bigint], run_at => now(), attempts => ${attempts}::int)`);
}

/**
 * Lets periodic jobs run whose last run was in the future, since a clock was wrong. The library would wait
 * until that time has come.
 */
export async function forgetFutureRuns(db: Queryable): Promise<void> {
  await db.query(sql`
    update graphile_worker._private_known_crontabs
    set known_since = least(known_since, now()),
      last_execution = case when last_execution is not null then least(last_execution, now()) end
    where greatest(known_since, last_execution) > now() + interval '10 minutes'`);
}

export interface DueTime {
  /** The database's time, with all its digits. */
  now: string;
  /** How long until a job becomes due; 0 or less: one is due. null: no job waits. */
  waitMs: number | null;
}

/**
 * When the next of the jobs that become due after `since` does; null: of all jobs. It reads the table that
 * the library's view shows, since only the table has the index. Our jobs have the same priority.
 */
export async function findNextDue(db: Queryable, since: string | null): Promise<DueTime> {
  const [row] = await db.query<DueTime>(sql`
    select now()::text as now, (
      select (extract(epoch from run_at - now()) * 1000)::float8 from graphile_worker._private_jobs
      where is_available = true and priority = 0 and run_at > coalesce(${since}::timestamptz, '-infinity')
      order by priority, run_at limit 1
    ) as "waitMs"`);
  return row as DueTime;
}

export async function deleteJob(db: Queryable, key: string): Promise<void> {
  await db.query(sql`select from graphile_worker.remove_job(${key}::text)`);
}

/** Deletes the waiting jobs of these names that have been due for longer than that. */
export async function deleteUntakenJobs(
  db: Queryable,
  names: readonly string[],
  hours: number,
): Promise<void> {
  await db.query(sql`
    select from graphile_worker.complete_jobs(array(
      select id from graphile_worker.jobs
      where task_identifier = any(${names}::text[]) and locked_at is null
        and run_at < now() - make_interval(hours => ${hours}::int)))`);
}

/** Deletes jobs of these names by what is in their payload, which only the table has, and not the view. */
export async function deleteJobsWith(
  db: Queryable,
  names: readonly string[],
  { organizationId, email }: { organizationId: number; email: string },
): Promise<void> {
  await db.query(sql`
    select from graphile_worker.complete_jobs(array(
      select j.id from graphile_worker._private_jobs j
      join graphile_worker._private_tasks t on t.id = j.task_id
      where t.identifier = any(${names}::text[]) and j.locked_at is null
        and j.payload ->> 'organizationId' = ${String(organizationId)}
        and lower(j.payload ->> 'email') = ${email}))`);
}

/** Deletes the jobs whose last attempt failed more than `days` days ago. */
export async function deleteFailedJobs(db: Queryable, days: number): Promise<void> {
  await db.query(sql`
    select from graphile_worker.complete_jobs(array(
      select id from graphile_worker.jobs
      where attempts >= max_attempts and locked_at is null
        and updated_at < now() - make_interval(days => ${days}::int)))`);
}
