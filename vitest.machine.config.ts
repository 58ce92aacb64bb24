import { defineConfig } from "vitest/config";

/** The tests that need programs of the machine. One that is missing fails its test and is named. */
export default defineConfig({
  test: {
    include: ["test/machine/**/*.test.ts"],
    pool: "forks",
    maxWorkers: 1,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
