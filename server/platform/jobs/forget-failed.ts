import { definePeriodicJob, type JobContext } from "./job.ts";
import { deleteFailedJobs } from "./store.ts";

const KEPT_DAYS = 30;

/** Jobs that have failed for good are kept for a while, so that an operator can look at them. */
export const forgetFailedJobs = definePeriodicJob({
  name: "forget_failed_jobs",
  schedule: "41 4 * * *",
  async run({ database }: JobContext) {
    await deleteFailedJobs(database, KEPT_DAYS);
  },
});
