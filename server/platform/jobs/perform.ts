import type { TObject } from "typebox";
import { Check } from "typebox/value";
import type { Job } from "./job.ts";

/** A job with what it works on, for the library. */
export interface Task extends Pick<Job, "name" | "schedule" | "attempts"> {
  /** Runs it once. `stored`: the payload as its row has it. */
  perform(stored: unknown, run: { signal: AbortSignal; dueAt: Date }): Promise<void>;
}

export function tasksOf<C>(context: C, jobs: readonly Job<TObject, C>[]): Task[] {
  return jobs.map((job) => ({
    name: job.name,
    schedule: job.schedule,
    attempts: job.attempts,
    perform: (stored, run) => perform(context, job, stored, run),
  }));
}

/** What its schedule added to the payload becomes the time that it was due. */
async function perform<C>(
  context: C,
  job: Job<TObject, C>,
  stored: unknown,
  run: { signal: AbortSignal; dueAt: Date },
): Promise<void> {
  const { _cron: cron, ...payload } = stored as { _cron?: { ts: string } };
  if (!Check(job.payload, payload))
    throw new Error(`the stored payload of a job ${job.name} does not fit it`);
  await job.run(context, payload, { signal: run.signal, dueAt: cron ? new Date(cron.ts) : run.dueAt });
}
