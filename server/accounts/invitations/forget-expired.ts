import type { Database } from "../../platform/db/database.ts";
import { definePeriodicJob } from "../../platform/jobs/job.ts";
import { deleteExpiredInvitations } from "./store.ts";

/** The addresses of people who never joined are not kept. */
export const forgetExpiredInvitations = definePeriodicJob({
  name: "forget_expired_invitations",
  schedule: "29 * * * *",
  async run({ database }: { database: Database }) {
    await deleteExpiredInvitations(database);
  },
});
