import { defineConfig } from "vitest/config";
import { machineTests } from "./vitest.machine.config.ts";

const neverTests = ["**/node_modules/**", "dist/**", "bench/**"];

export default defineConfig({
  test: {
    include: ["**/*.test.ts"],
    exclude: [...neverTests, ...machineTests],
    globalSetup: ["test/harness/postgres.ts"],
    pool: "forks",
    maxWorkers: 2,
    isolate: false,
    testTimeout: 20_000,
    hookTimeout: 30_000,
  },
});
