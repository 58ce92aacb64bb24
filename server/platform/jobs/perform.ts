import { Check } from "typebox/value";
import type { Services } from "../../services.ts";
import type { Job } from "./job.ts";

/** Runs a job once. What its schedule added to the payload becomes the time that it was due. */
export async function perform(
  services: Services,
  job: Job,
  stored: unknown,
  run: { signal: AbortSignal; dueAt: Date },
): Promise<void> {
  const { _cron: cron, ...payload } = stored as { _cron?: { ts: string } };
  if (!Check(job.payload, payload))
    throw new Error(`the stored payload of a job ${job.name} does not fit it`);
  await job.run(services, payload, { signal: run.signal, dueAt: cron ? new Date(cron.ts) : run.dueAt });
}
