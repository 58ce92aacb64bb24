import type { Database } from "../../platform/db/database.ts";
import { definePeriodicJob } from "../../platform/jobs/job.ts";
import { deleteExpiredChallenges } from "./challenge-store.ts";

export const forgetExpiredChallenges = definePeriodicJob({
  name: "forget_expired_challenges",
  schedule: "*/10 * * * *",
  async run({ database }: { database: Database }) {
    await deleteExpiredChallenges(database);
  },
});
