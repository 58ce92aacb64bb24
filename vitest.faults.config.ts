import { defineConfig } from "vitest/config";

/**
 * Minutes of load and faults, for a change of what must survive them. `test/faults/endurance.ts` has the
 * settings.
 */
export default defineConfig({
  test: {
    include: ["test/faults/endurance.ts"],
    globalSetup: ["test/e2e/setup.ts"],
    pool: "forks",
    maxWorkers: 1,
    // What it has been through is printed while it goes on.
    disableConsoleIntercept: true,
  },
});
