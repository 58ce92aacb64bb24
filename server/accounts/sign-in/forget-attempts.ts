import { definePeriodicJob } from "../../platform/jobs/job.ts";
import type { Services } from "../../services.ts";
import { deletePastSignInAttempts } from "./store.ts";

/** A scan of the counts, which somebody who guesses must not cause with each attempt. */
export const forgetSignInAttempts = definePeriodicJob({
  name: "forget_sign_in_attempts",
  schedule: "*/10 * * * *",
  run: ({ database }: Pick<Services, "database">) => deletePastSignInAttempts(database),
});
