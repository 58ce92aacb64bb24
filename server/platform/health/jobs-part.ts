import type { Database } from "../db/database.ts";
import { findLateJobs, type LateJobs } from "../jobs/store.ts";
import { describeSeconds } from "./duration.ts";
import { type Finding, ok, type Part, warning } from "./finding.ts";

/** A busy evening is no fault. */
const LATE_SECONDS = 600;

/** Whether background jobs are done in time. */
export function jobsPart(database: Database): Part {
  return {
    name: "jobs",
    everySeconds: 60,
    check: async () => judgeJobs(await database.snapshot(findLateJobs)),
  };
}

export function judgeJobs({ failed, waitedSeconds }: LateJobs): Finding {
  if (waitedSeconds > LATE_SECONDS) {
    return warning(
      "jobs-late",
      `Background jobs are late: the oldest has waited for ${describeSeconds(waitedSeconds)}. Look for errors in the log.`,
    );
  }
  if (failed > 0) {
    return warning(
      "jobs-failed",
      `${failed === 1 ? "One background job has" : `${failed} background jobs have`} failed for good. The log says why.`,
    );
  }
  return ok("Background jobs are done in time.");
}
