import { defineConfig } from "vitest/config";
import { patience } from "./vitest.machine.config.ts";

/** A random walk in a real browser, alone, for as long as PARLEY_MONKEY_MINUTES says. */
export default defineConfig({
  test: {
    expect: patience,
    include: ["test/machine/web/monkey/monkey.test.ts"],
    globalSetup: ["test/harness/postgres.ts", "test/e2e/setup.ts"],
    pool: "forks",
    maxWorkers: 1,
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
