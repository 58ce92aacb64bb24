import { definePeriodicJob, type JobContext } from "../../../platform/jobs/job.ts";
import { deleteOldDeliveries } from "./store.ts";

/** Programs repeat a delivery within hours. */
const KEPT_HOURS = 24;

/** The rate limit of calls bounds how many deliveries an account can have in this time. */
export const forgetDeliveries = definePeriodicJob({
  name: "forget_incoming_deliveries",
  schedule: "17 * * * *",
  async run({ database }: JobContext) {
    await deleteOldDeliveries(database, KEPT_HOURS);
  },
});
