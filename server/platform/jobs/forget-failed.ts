import { sql } from "../db/sql.ts";
import { definePeriodicJob, type JobContext } from "./job.ts";

const KEPT_DAYS = 30;

/** Jobs that have failed for good are left for whoever looks after the server, but not for ever. */
export const forgetFailedJobs = definePeriodicJob({
  name: "forget_failed_jobs",
  schedule: "41 4 * * *",
  async run({ database }: JobContext) {
    await database.query(sql`
      select from graphile_worker.complete_jobs(array(
        select id from graphile_worker.jobs
        where attempts >= max_attempts and locked_at is null
          and updated_at < now() - make_interval(days => ${KEPT_DAYS}::int)))`);
  },
});
