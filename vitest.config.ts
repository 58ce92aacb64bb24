import { defineConfig } from "vitest/config";
import { machineTests, patience, runFirst } from "./vitest.machine.config.ts";

/** All tests that need npm's packages only, but for those that start and kill whole installations. */
export default defineConfig({
  test: {
    include: ["**/*.test.ts"],
    exclude: ["**/node_modules/**", "dist/**", "bench/**", ...machineTests],
    globalSetup: ["test/harness/postgres.ts", "test/harness/caused-events-setup.ts"],
    setupFiles: ["test/harness/leftovers.ts", "test/harness/cheap-hashes.ts"],
    // Most files that take ten seconds and more are there.
    sequence: { sequencer: runFirst(/^test\//) },
    pool: "forks",
    maxWorkers: 2,
    // The files of a worker share its modules: to import the server takes seconds, and half of all files do.
    isolate: false,
    expect: patience,
    testTimeout: 20_000,
    hookTimeout: 30_000,
  },
});
