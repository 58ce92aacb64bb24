import type { ParsedCronItem } from "graphile-worker";
import type { Job } from "./job.ts";
import { loadLibrary } from "./load-library.ts";

/** How far back missed runs are made up for. It is longer than any event queue lives. */
const BACKFILL_MS = 8 * 24 * 3600 * 1000;

/**
 * The schedules of periodic jobs in the library's form. Each due time is queued once, however many nodes run.
 */
export async function cronItems(
  jobs: readonly Pick<Job, "name" | "schedule" | "isMadeUpFor" | "attempts">[],
): Promise<ParsedCronItem[]> {
  const { parseCronItems } = loadLibrary();
  return parseCronItems(
    jobs.flatMap(({ name, schedule, isMadeUpFor, attempts }) =>
      schedule === undefined
        ? []
        : [
            {
              task: name,
              identifier: name,
              match: schedule,
              options: { maxAttempts: attempts, backfillPeriod: isMadeUpFor ? BACKFILL_MS : 0 },
            },
          ],
    ),
  );
}
