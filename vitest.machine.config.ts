import { defineConfig } from "vitest/config";

/**
 * Tests that start and kill whole installations, servers or databases, and tests that need programs of the machine. One
 * that is missing fails its test and is named.
 */
export const machineTests = [
  "server/platform/postgres/**/*.test.ts",
  "test/e2e/**/*.test.ts",
  "test/faults/faults.test.ts",
  "test/machine/**/*.test.ts",
];

export default defineConfig({
  test: {
    include: machineTests,
    globalSetup: ["test/harness/postgres.ts"],
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
