import type { Config } from "../../server/config.ts";
import { faults, withNumber } from "../../server/platform/faults/catalogue.ts";
import { command, exitCodes, UsageError } from "../command.ts";
import { checkBackups } from "../doctor/backup-check.ts";
import {
  checkAddress,
  checkDisk,
  checkFiles,
  checkNode,
  checkProxies,
  checkPublicUrl,
  checkSettings,
  checkShared,
  type Finding,
  failed,
} from "../doctor/checks.ts";
import { checkBinaries, checkInstallation } from "../doctor/database-checks.ts";
import { checkMail, isMailAddress } from "../doctor/mail-check.ts";
import { checkMetrics } from "../doctor/metrics-check.ts";
import { checkOpenSettings } from "../doctor/open-settings.ts";
import { checkPublicAddress } from "../doctor/public-check.ts";
import { describeSettings } from "../doctor/settings-checks.ts";
import { checkTls } from "../doctor/tls-check.ts";
import { describeFailure } from "../failure.ts";
import { unchosenFolder } from "../installation/own-folder.ts";
import { jsonOption, print } from "../options/json.ts";
import { describeUnknown } from "../start/setting-names.ts";

export const doctor = command({
  usage: ["doctor", "doctor --mail ADDRESS"],
  details: `
Checks everything that the server needs and prints a line for each check: ✓ if it passed, ! and what
to consider for a warning, or ✗ and what to do if it failed. Changes no data, and can run beside a
server. In an S3 bucket it writes a small file and deletes it.
Exits with 1 if a check failed. With --json each finding is a line with its level (ok, warning or
failure), its sentence, what to do, and the number of its fault.

With --mail it checks only the settings, sends one mail to the address, and prints what the mail
server answered.`,
  options: { mail: { value: "ADDRESS", description: "Send a mail to this address." }, json: jsonOption },
  settings: ["data-dir", "host", "port", "public-url"],
  words: { min: 0, max: 0 },
  async run({ environment, values }) {
    const { mail } = values;
    if (mail !== undefined && !isMailAddress(mail)) {
      throw new UsageError(`'${mail}' is not an email address. Write one such as ada@example.com.`);
    }
    let hasPassed = true;
    for await (const finding of mail === undefined
      ? runChecks(environment)
      : runMailCheck(environment, mail)) {
      hasPassed &&= finding.hasPassed;
      print(values, textOf(finding), dataOf(finding));
    }
    return hasPassed ? exitCodes.ok : exitCodes.failure;
  },
});

async function* runMailCheck(environment: NodeJS.ProcessEnv, to: string): AsyncIterable<Finding> {
  const settings = checkSettings(environment);
  yield settings.finding;
  if (settings.config) yield await checkMail(settings.config, to);
}

function textOf(finding: Finding): string {
  const { fault, text, advice } = finding;
  const line = `${MARKS[levelOf(finding)]} ${fault ? withNumber(fault, text) : text}\n`;
  return advice ? `${line}  → ${advice}\n` : line;
}

function dataOf(finding: Finding) {
  const { fault, text, advice } = finding;
  return {
    level: levelOf(finding),
    fault: fault === undefined ? null : faults[fault].number,
    sentence: text,
    advice: advice ?? null,
  };
}

const MARKS = { ok: "✓", warning: "!", failure: "✗" } as const;

function levelOf({ hasPassed, isWarning }: Finding): keyof typeof MARKS {
  if (isWarning) return "warning";
  return hasPassed ? "ok" : "failure";
}

/**
 * Runs the checks one after the other, since a later check may rely on an earlier one. Doctor is what people
 * run because something is wrong, so a check that breaks is a finding.
 */
async function* runChecks(environment: NodeJS.ProcessEnv): AsyncIterable<Finding> {
  yield checkNode(process.versions.node);
  const settings = checkSettings(environment);
  yield settings.finding;
  const unknown = describeUnknown(environment);
  if (unknown !== undefined) yield failed("setting-unknown", unknown, "docs/running.md lists the settings.");
  if (!settings.config) return;
  const config: Config = settings.config;
  const unchosen = unchosenFolder(config, environment);
  if (unchosen !== undefined) yield failed("folder-not-chosen", unchosen);
  yield checkPublicUrl(config);
  yield checkProxies(config);
  yield* checkOpenSettings(config);
  const certificate = checkTls(config);
  if (certificate) yield certificate;
  if (config.databaseUrl === undefined) {
    yield await checkBinaries();
  } else {
    yield checkShared(config);
  }
  yield await whole(() => checkDisk(config.dataDir));
  yield await whole(() => checkFiles(config));
  yield* describeSettings(config);
  yield await whole(() => checkMetrics(config));
  yield await whole(() => checkBackups(config));
  yield* checkInstallation(environment, config);
  yield await whole(() => checkAddress(config));
  const outside = await checkPublicAddress(config).catch((error) => failed(...describeFailure(error)));
  if (outside) yield outside;
}

async function whole(check: () => Finding | Promise<Finding>): Promise<Finding> {
  try {
    return await check();
  } catch (error) {
    return failed(...describeFailure(error));
  }
}
