import type { Config } from "../server/config.ts";
import {
  checkAddress,
  checkDisk,
  checkNode,
  checkPublicUrl,
  checkSettings,
  checkShared,
  type Finding,
} from "./checks.ts";
import { command, exitCodes } from "./command.ts";
import { checkBinaries, checkInstallation } from "./database-checks.ts";

export const doctor = command({
  usage: ["doctor"],
  details: `
Looks at everything that the server needs and prints a line for each: ✓ when it is well, ✗ with what
to do when it is not. Changes no data, and may be run beside a server. Exits with 1 when something is
wrong.`,
  options: {},
  words: { min: 0, max: 0 },
  async run({ environment }) {
    let isWell = true;
    for await (const finding of examine(environment)) {
      isWell &&= finding.isWell;
      process.stdout.write(`${finding.isWell ? "✓" : "✗"} ${finding.text}\n`);
      if (!finding.isWell && finding.advice) process.stdout.write(`  → ${finding.advice}\n`);
    }
    return isWell ? exitCodes.ok : exitCodes.failure;
  },
});

/** One after the other, since a later one may rest on an earlier one. */
async function* examine(environment: NodeJS.ProcessEnv): AsyncIterable<Finding> {
  yield checkNode(process.versions.node);
  const settings = checkSettings(environment);
  yield settings.finding;
  if (!settings.config) return;
  const config: Config = settings.config;
  yield checkPublicUrl(config);
  if (config.databaseUrl === undefined) {
    yield await checkBinaries();
  } else {
    yield checkShared(config);
  }
  yield checkDisk(config.dataDir);
  yield* checkInstallation(environment, config);
  yield await checkAddress(config);
}
