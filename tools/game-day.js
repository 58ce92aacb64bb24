// npm run faults:day -- [--seed=N] [--minutes=M] [--only="NAME"]: see test/README.md.
import { spawn } from "node:child_process";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const root = fileURLToPath(new URL("..", import.meta.url));

/** @type {{ seed?: string, minutes?: string, only?: string }} */
let given = {};
try {
  const string = /** @type {const} */ ({ type: "string" });
  given = parseArgs({ options: { seed: string, minutes: string, only: string } }).values;
  if (given.seed !== undefined && !/^\d{1,10}$/.test(given.seed))
    throw new Error("--seed is a whole number.");
  if (given.minutes !== undefined && !/^\d{1,4}$/.test(given.minutes))
    throw new Error("--minutes is a whole number.");
} catch (error) {
  console.error(/** @type {Error} */ (error).message);
  console.error('Usage: npm run faults:day -- [--seed=N] [--minutes=M] [--only="NAME OF A FAULT"]');
  process.exit(2);
}

const vitest = path.join(root, "node_modules", "vitest", "vitest.mjs");
const run = spawn(process.execPath, [vitest, "run", "--config", "vitest.day.config.ts"], {
  cwd: root,
  stdio: "inherit",
  env: {
    ...process.env,
    ...(given.seed !== undefined && { PARLEY_DAY_SEED: given.seed }),
    ...(given.minutes !== undefined && { PARLEY_DAY_MINUTES: given.minutes }),
    ...(given.only !== undefined && { PARLEY_DAY_ONLY: given.only }),
  },
});
// A day that is ended unmounts its disks first. A terminal gives SIGINT to both.
process.on("SIGINT", () => {});
process.on("SIGTERM", () => run.kill("SIGTERM"));
run.on("exit", (code) => {
  process.exitCode = code ?? 1;
});
