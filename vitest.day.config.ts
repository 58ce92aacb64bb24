import { defineConfig } from "vitest/config";

/** A game day. tools/game-day.js starts it. */
export default defineConfig({
  test: {
    include: ["test/faults/day/game-day.ts"],
    globalSetup: ["test/e2e/setup.ts"],
    pool: "forks",
    maxWorkers: 1,
    hookTimeout: 120_000,
    // What it has been through is printed while it goes on.
    disableConsoleIntercept: true,
  },
});
