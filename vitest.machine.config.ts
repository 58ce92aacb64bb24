import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * Tests that start and kill whole installations, servers or databases, and tests that need programs of the
 * machine. One that is missing fails its test and is named.
 */
export const machineTests = [
  "server/platform/postgres/**/*.test.ts",
  "test/e2e/**/*.test.ts",
  "test/faults/faults.test.ts",
  "test/machine/**/*.test.ts",
];

/** Steps of milliseconds take seconds on a machine that is busy with other tests. */
export const patience = { poll: { timeout: 15_000 } };

/** The walk in a browser takes ten minutes, so others run beside it. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => moduleId.endsWith("/monkey.test.ts");
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

export default defineConfig({
  test: {
    expect: patience,
    include: machineTests,
    sequence: { sequencer: LongestFirst },
    globalSetup: ["test/harness/postgres.ts", "test/e2e/setup.ts"],
    pool: "forks",
    maxWorkers: 2,
    // The files of a worker share its modules, its Chromium and what it has built.
    isolate: false,
    // Whole servers come and go in each test, and a first start makes a database.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
