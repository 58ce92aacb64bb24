import { defineConfig } from "vitest/config";

/** Minutes of load and faults, for whoever changes what must survive them. `test/faults/endurance.ts` has the settings. */
export default defineConfig({
  test: {
    include: ["test/faults/endurance.ts"],
    pool: "forks",
    maxWorkers: 1,
    // What it has been through is printed while it goes on.
    disableConsoleIntercept: true,
  },
});
