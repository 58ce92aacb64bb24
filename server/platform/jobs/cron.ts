import type { ParsedCronItem } from "graphile-worker";
import type { Job } from "./job.ts";

/** How far back missed times are made up for. No queue that lived then is left after it. */
const BACKFILL_MS = 8 * 24 * 3600 * 1000;

/** The schedules of periodic jobs as the library wants them. Each time is given out once, whichever nodes are there. */
export async function cronItems(
  jobs: readonly Pick<Job, "name" | "schedule" | "attempts">[],
): Promise<ParsedCronItem[]> {
  const { parseCronItems } = await import("graphile-worker");
  return parseCronItems(
    jobs.flatMap(({ name, schedule, attempts }) =>
      schedule === undefined
        ? []
        : [
            {
              task: name,
              identifier: name,
              match: schedule,
              options: { maxAttempts: attempts, backfillPeriod: BACKFILL_MS },
            },
          ],
    ),
  );
}
