import path from "node:path";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * Tests that start and kill whole installations, servers or databases, and tests that need programs of the
 * machine. One that is missing fails its test and is named.
 */
export const machineTests = [
  "server/platform/backup/**/*.test.ts",
  "server/platform/postgres/**/*.test.ts",
  "test/e2e/**/*.test.ts",
  "test/faults/day/game-day.test.ts",
  "test/faults/faults.test.ts",
  "test/machine/**/*.test.ts",
];

/** Steps of milliseconds take seconds on a machine that is busy with other tests. */
export const patience = { poll: { timeout: 15_000 } };

/**
 * Runs files with these paths before others, so that at the end no worker waits long for another. Vitest
 * knows from the run before how long a file takes, but a fresh checkout has not run.
 */
export function runFirst(isLong: RegExp) {
  return class extends BaseSequencer {
    override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
      const sorted = await super.sort(files);
      const pathOf = ({ moduleId }: TestSpecification) => path.relative(this.ctx.config.root, moduleId);
      const half = (wanted: boolean) => sorted.filter((file) => isLong.test(pathOf(file)) === wanted);
      return [...half(true), ...half(false)];
    }
  };
}

export default defineConfig({
  test: {
    expect: patience,
    include: machineTests,
    // The walk in a browser takes ten minutes.
    sequence: { sequencer: runFirst(/\/monkey\.test\.ts$/) },
    globalSetup: ["test/harness/postgres.ts", "test/e2e/setup.ts"],
    setupFiles: ["test/harness/globals-setup.ts"],
    pool: "forks",
    maxWorkers: 2,
    // The files of a worker share its modules, its Chromium and what it has built.
    isolate: false,
    // Whole servers come and go in each test, and a first start makes a database.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
