import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ArchiveError } from "../../server/imports/archive/archive-error.ts";
import { type ArchiveKind, archiveKinds, kindOf } from "../../server/imports/archive/kind.ts";
import { type Archive, unpack } from "../../server/imports/archive/unpack.ts";
import {
  checkSkipped,
  type ImportOptions,
  type ImportResult,
  readImport,
  reportTheRest,
  TooManySkipped,
  writeImport,
} from "../../server/imports/core/import.ts";
import type { ImportSource } from "../../server/imports/core/records.ts";
import { Report } from "../../server/imports/core/report.ts";
import { parseHost, parseOrganizationName } from "../../server/organization/names.ts";
import { parseEmail } from "../../server/people/names.ts";
import type { Services } from "../../server/services.ts";
import { CommandError, command, exitCodes, UsageError } from "../command.ts";
import { readInstallationConfig, withInstallation } from "../installation/installation.ts";
import { checkChosenFolder } from "../installation/own-folder.ts";
import { becomeOwner } from "../installation/owner.ts";
import { checkArchiveFile } from "../options/archive-file.ts";
import { checkValue } from "../options/check-value.ts";
import { jsonOption, print } from "../options/json.ts";
import { safeLine } from "../terminal/terminal-text.ts";

/** A line of progress at most each so many messages. */
const PROGRESS_STEP = 20_000;
const DEFAULT_MAX_SKIPPED = 1;

/** A kind of archive that can be imported. */
export interface ImportKind {
  kind: ArchiveKind;
  /** As people call the program. */
  program: string;
  /** Its files, in words. */
  files: string;
  /** For exports that may come unpacked: the file that has all records. */
  unpackedName?: string;
  open(archive: Archive, report: Report, options: { oldUrl: string | undefined }): Promise<ImportSource>;
}

export const importCommand = ({ kind, program, files, unpackedName, open }: ImportKind) =>
  command({
    usage: [`import ${kind} FILE --host HOST [--dry-run]`],
    details: `
Makes a new organization of an export of ${program}, a ${files} file${unpackedName === undefined ? "" : `, its folder or its ${unpackedName}`}. Everything is read and checked before
anything is written. The server may run meanwhile; people reach the organization when all is there. After
Ctrl-C or a crash, the same command goes on where it stopped, and parley import cancel takes everything
back. docs/imports.md says what comes and what does not.`,
    options: {
      host: { value: "HOST", description: "The host name under which people will reach it." },
      "dry-run": { description: "Only read and report: nothing is written." },
      name: { value: "NAME", description: "The organization's name, in place of the one in the export." },
      owner: { value: "EMAIL", description: "Makes this person an owner, besides those of the export." },
      "old-url": {
        value: "URL",
        description: "The address of the organization before: links to it become links here.",
      },
      "max-skipped": {
        value: "PERCENT",
        description: `How many of 100 messages may be left out. By default ${DEFAULT_MAX_SKIPPED}.`,
      },
      json: jsonOption,
      report: { value: "FILE", description: "Also writes the report to a new file, as JSON." },
    },
    words: { min: 1, max: 1 },
    async run({ values, words, environment }) {
      if (values.host === undefined)
        throw new UsageError("Say under which name people will reach it, with --host HOST.");
      const host = checkValue("--host", parseHost, values.host);
      if (values.name !== undefined) checkValue("--name", parseOrganizationName, values.name);
      if (values.owner !== undefined) checkValue("--owner", parseEmail, values.owner);
      const [file = ""] = words;
      checkArchiveFile(file);
      const report = new Report();
      const given = {
        host,
        name: values.name,
        owner: values.owner,
        maxSkippedPercent: parsePercent(values["max-skipped"]),
        oldUrl: parseOrigin(values["old-url"]),
      };
      const interruption = new AbortController();
      const interrupt = () => interruption.abort(new CommandError("cancelled", INTERRUPTED));
      process.once("SIGINT", interrupt).once("SIGTERM", interrupt);
      try {
        const run = (services: ImportServices | undefined, folder: string) =>
          importFile(
            services,
            file,
            {
              ...given,
              kind,
              unpackedName,
              open,
              folder,
              signal: interruption.signal,
              onProgress: printProgress,
            },
            report,
          );
        if (values["dry-run"] === true) {
          await inFolder(environment, (folder) => run(undefined, folder));
          if (values.json !== true) printReport(report);
          if (values.report !== undefined) await writeReport(values.report, report);
          checkSkipped(report, given.maxSkippedPercent);
          print(values, "Nothing was written.\n", { host, outcome: "dry run", ...report.toJSON() });
        } else {
          const result = await inFolder(environment, (folder) =>
            withInstallation(environment, (services) => run(services, folder), { mayCreate: true }),
          );
          if (values.json !== true) printResult(result, host, report);
          else print(values, "", { host, outcome: outcomeOf(result), ...report.toJSON() });
          if (values.report !== undefined) await writeReport(values.report, report);
        }
      } catch (error) {
        // Which messages those are is in the report alone.
        const isUnsaid = error instanceof TooManySkipped && values["dry-run"] !== true;
        if (isUnsaid && values.json !== true) printReport(report);
        else if (isUnsaid) print(values, "", { host, outcome: "refused", ...report.toJSON() });
        throw error;
      } finally {
        process.off("SIGINT", interrupt).off("SIGTERM", interrupt);
      }
      return exitCodes.ok;
    },
  });

type ImportServices = Pick<Services, "database" | "files" | "keyring" | "organizations">;

export const INTERRUPTED =
  "Interrupted. If messages were being written, the same command goes on there, and parley import cancel takes everything back.";

/** Without services nothing is written. */
async function importFile(
  services: ImportServices | undefined,
  file: string,
  options: ImportOptions &
    Pick<ImportKind, "kind" | "open"> & { oldUrl: string | undefined; unpackedName: string | undefined },
  report: Report,
): Promise<ImportResult | undefined> {
  const { folder, signal, oldUrl, kind, unpackedName, open } = options;
  const files = join(folder, "files");
  await mkdir(files);
  const archive = await unpack(file, files, { signal, unpackedName });
  const found = kindOf(archive);
  if (found === undefined)
    throw new ArchiveError(`This is not ${archiveKinds[kind]}, nor one of another chat that is known here.`);
  if (found !== kind) throw new ArchiveError(`This is ${archiveKinds[found]}, not ${archiveKinds[kind]}.`);
  const source = await open(archive, report, { oldUrl });
  if (services) {
    const read = await readImport(source, options, report);
    return writeImport(services, read, options, report);
  }
  await reportTheRest(await readImport(source, { ...options, maxSkippedPercent: 100 }, report), report);
  return undefined;
}

/** In the data directory: a temporary folder of the system may lie in memory. */
export async function inFolder<T>(
  environment: NodeJS.ProcessEnv,
  use: (folder: string) => Promise<T>,
): Promise<T> {
  const config = readInstallationConfig(environment);
  const { dataDir } = config;
  // Before anything is made there, also by a trial.
  checkChosenFolder(config, environment);
  becomeOwner(dataDir);
  const parent = join(dataDir, "imports");
  await mkdir(parent, { recursive: true, mode: 0o700 });
  await removeLeftovers(parent);
  const folder = await mkdtemp(join(parent, `run-${process.pid}-`));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** What runs left behind that were killed. */
async function removeLeftovers(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const pid = Number(/^run-(\d+)-/.exec(name)?.[1]);
    if (pid > 0 && !isRunning(pid)) await rm(join(parent, name), { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as { code?: string }).code !== "ESRCH";
  }
}

function parsePercent(text: string | undefined): number {
  if (text === undefined) return DEFAULT_MAX_SKIPPED;
  const percent = Number(text);
  if (text.trim() !== "" && percent >= 0 && percent <= 100) return percent;
  throw new UsageError("--max-skipped needs a number from 0 to 100.");
}

function parseOrigin(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return new URL(text).origin;
  throw new UsageError("--old-url needs an address such as https://chat.example.com.");
}

let printed = 0;
function printProgress({ step, done, of }: Parameters<NonNullable<ImportOptions["onProgress"]>>[0]): void {
  const isLast = done === of;
  if (!isLast && done % PROGRESS_STEP !== 0 && done - printed < PROGRESS_STEP) return;
  printed = isLast ? 0 : done;
  const what = step === "reading" ? "read" : "written";
  process.stderr.write(`${done}${of === undefined ? "" : ` of ${of}`} messages ${what}\n`);
}

export function printReport(report: Report): void {
  const { counts, losses } = report.toJSON();
  const lines = Object.entries(counts).map(([kind, { found, taken }]) => `  ${taken} of ${found} ${kind}`);
  process.stdout.write(`What comes:\n${lines.join("\n")}\n`);
  if (losses.length === 0) return;
  process.stdout.write("What does not come, or comes changed:\n");
  for (const { reason, count, examples } of losses) {
    const shown = examples.length > 0 ? ` (such as ${examples.map(safeLine).join("; ")})` : "";
    process.stdout.write(`  ${count}: ${reason}${shown}\n`);
  }
}

export function outcomeOf(result: ImportResult | undefined): string {
  return result === "imported before" ? result : "imported";
}

function printResult(result: ImportResult | undefined, host: string, report: Report): void {
  if (result === "imported before") {
    process.stdout.write(`This archive was imported to ${host} before. Nothing was written.\n`);
    return;
  }
  printReport(report);
  printSignIn(host);
}

export function printSignIn(host: string): void {
  process.stdout.write(
    `Imported to ${host}. Nobody has a password yet: people choose one with "Forgot your password?", or sign in with a provider that confirms their address.\n`,
  );
}

export async function writeReport(path: string, report: Report): Promise<void> {
  try {
    await writeFile(path, `${JSON.stringify(report, null, 2)}\n`, { flag: "wx" });
  } catch (error) {
    throw (error as { code?: string }).code === "EEXIST"
      ? new CommandError("file-exists", `${path} exists, so the report was not written there.`)
      : error;
  }
}
