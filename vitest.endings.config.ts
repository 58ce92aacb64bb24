import { defineConfig } from "vitest/config";
import { patience } from "./vitest.machine.config.ts";

/**
 * How long what ends goes on elsewhere. `npm run bench endings` runs it, with settings in the environment.
 */
export default defineConfig({
  test: {
    include: ["test/races/endings/times.ts"],
    globalSetup: ["test/harness/postgres.ts"],
    pool: "forks",
    maxWorkers: 1,
    expect: patience,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
