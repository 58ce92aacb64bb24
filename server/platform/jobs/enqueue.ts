import type { Static, TObject } from "typebox";
import { Check } from "typebox/value";
import type { Queryable } from "../db/database.ts";
import type { Sql } from "../db/sql.ts";
import type { Job } from "./job.ts";
import { deleteJob, deleteJobsWith, deleteUntakenJobs, insertJob, jobForEach } from "./store.ts";

export interface EnqueueOptions {
  /** Earliest time of the run. By default the job is due at once. */
  runAt?: Date;
  /**
   * At most one job of the same name and key waits: a new one replaces it. A job that is already running goes
   * on, and the new one runs after it.
   */
  key?: string;
}

/**
 * Enqueues a job that runs after the commit of `tx`, or never if it rolls back. Throws if the payload does
 * not fit the job.
 */
export async function enqueue<S extends TObject>(
  tx: Queryable,
  job: Pick<Job<S>, "name" | "payload" | "attempts">,
  payload: Static<S>,
  { runAt, key }: EnqueueOptions = {},
): Promise<void> {
  if (!Check(job.payload, payload)) throw new Error(`the payload does not fit the job '${job.name}'`);
  await insertJob(tx, {
    name: job.name,
    payload: payload as object,
    runAt: runAt ?? null,
    maxAttempts: job.attempts,
    key: key === undefined ? null : keyOf(job, key),
  });
}

/**
 * A query for `compiled` that enqueues a job for each row of `from`, as `enqueue` with a key would, due at
 * once. It gives a row for each job. In a `with` it runs only if the statement reads that row. `payload` and
 * `key` are expressions of a row: JSON that fits the job, and a text.
 */
export function enqueueEach(
  { name, attempts }: Pick<Job, "name" | "attempts">,
  { payload, key, from }: { payload: Sql; key: Sql; from: Sql },
): Sql {
  return jobForEach({ name, maxAttempts: attempts, payload, key, from });
}

/**
 * Removes the waiting job with the key, if there is one. A job that is running goes on, but is not retried.
 */
export async function cancel(tx: Queryable, job: Pick<Job, "name">, key: string): Promise<void> {
  await deleteJob(tx, keyOf(job, key));
}

/** Removes waiting jobs of these kinds that have been due for longer than that: no node takes them. */
export async function cancelUntaken(
  tx: Queryable,
  jobs: readonly Pick<Job, "name">[],
  hours: number,
): Promise<void> {
  await deleteUntakenJobs(
    tx,
    jobs.map(({ name }) => name),
    hours,
  );
}

/**
 * Removes the waiting and the failed jobs of these kinds whose payload has the organization and the address.
 * `email`: in lower case. A job that is running goes on.
 */
export async function cancelWith(
  tx: Queryable,
  jobs: readonly Pick<Job, "name">[],
  payload: { organizationId: number; email: string },
): Promise<void> {
  await deleteJobsWith(
    tx,
    jobs.map(({ name }) => name),
    payload,
  );
}

function keyOf(job: Pick<Job, "name">, key: string): string {
  return `${job.name}:${key}`;
}
