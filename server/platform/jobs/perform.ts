import type { TObject } from "typebox";
import { Check } from "typebox/value";
import type { Job } from "./job.ts";

/** A job bound to its context, for the library. */
export interface Task extends Pick<Job, "name" | "schedule" | "isMadeUpFor" | "attempts"> {
  /** Runs the job once. `stored`: the payload of its row. */
  perform(stored: unknown, run: { signal: AbortSignal; dueAt: Date }): Promise<void>;
}

export function tasksOf<C>(context: C, jobs: readonly Job<TObject, C>[]): Task[] {
  return jobs.map((job) => ({
    name: job.name,
    schedule: job.schedule,
    isMadeUpFor: job.isMadeUpFor,
    attempts: job.attempts,
    perform: (stored, run) => perform(context, job, stored, run),
  }));
}

/** The library's scheduler adds the due time to the payload of a periodic job. Here it becomes `dueAt`. */
async function perform<C>(
  context: C,
  job: Job<TObject, C>,
  stored: unknown,
  run: { signal: AbortSignal; dueAt: Date },
): Promise<void> {
  const { _cron: cron, ...payload } = stored as { _cron?: { ts: string } };
  if (!Check(job.payload, payload)) throw new Error(`the stored payload does not fit the job '${job.name}'`);
  await job.run(context, payload, { signal: run.signal, dueAt: cron ? new Date(cron.ts) : run.dueAt });
}
