import type { Static, TObject } from "typebox";
import { Check } from "typebox/value";
import type { Queryable } from "../db/database.ts";
import { sql } from "../db/sql.ts";
import type { Job } from "./job.ts";

export interface EnqueueOptions {
  /** Not before; at once by default. */
  runAt?: Date;
  /**
   * Of the jobs of one name only one with this key waits: a second takes the first's place. One that runs already is left
   * alone, and the second runs after it.
   */
  key?: string;
}

/** Has a job done after the commit of `tx`, or never if it is rolled back. Throws when the payload does not fit the job. */
export async function enqueue<S extends TObject>(
  tx: Queryable,
  job: Pick<Job<S>, "name" | "payload" | "attempts">,
  payload: Static<S>,
  { runAt, key }: EnqueueOptions = {},
): Promise<void> {
  if (!Check(job.payload, payload)) throw new Error(`the payload of a job ${job.name} does not fit it`);
  await tx.query(sql`
    select from graphile_worker.add_job(
      identifier => ${job.name}::text,
      payload => ${JSON.stringify(payload)}::json,
      run_at => ${runAt ?? null}::timestamptz,
      max_attempts => ${job.attempts}::int,
      job_key => ${key === undefined ? null : keyOf(job, key)}::text)`);
}

/** Takes back the job with the key, if it waits still. One that runs goes on, but is not tried again. */
export async function cancel(tx: Queryable, job: Pick<Job, "name">, key: string): Promise<void> {
  await tx.query(sql`select from graphile_worker.remove_job(${keyOf(job, key)}::text)`);
}

function keyOf(job: Pick<Job, "name">, key: string): string {
  return `${job.name}:${key}`;
}
