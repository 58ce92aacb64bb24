import { definePeriodicJob, type JobContext } from "../../../platform/jobs/job.ts";
import { deleteOldDeliveries } from "./store.ts";

/** A call is dropped when it is a day late. Another day, so that one that has begun by then still ends. */
const KEPT_HOURS = 48;

/** Deletes deliveries whose job has failed for good, or is gone. The job of any other one deletes it. */
export const forgetCalls = definePeriodicJob({
  name: "forget_outgoing_deliveries",
  schedule: "29 * * * *",
  isMadeUpFor: false,
  async run({ database }: JobContext) {
    await deleteOldDeliveries(database, KEPT_HOURS);
  },
});
