import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { ArchiveError } from "../../server/imports/archive/archive-error.ts";
import { archiveKinds, kindOf } from "../../server/imports/archive/kind.ts";
import { unpack } from "../../server/imports/archive/unpack.ts";
import type { ImportResult } from "../../server/imports/core/import.ts";
import { Report } from "../../server/imports/core/report.ts";
import { readWhole } from "../../server/imports/parley/check.ts";
import { type WriteOptions, writeWhole } from "../../server/imports/parley/write.ts";
import { parseHost, parseOrganizationName } from "../../server/organization/names.ts";
import { ownSchema } from "../../server/platform/db/migrate.ts";
import type { Services } from "../../server/services.ts";
import { CommandError, command, exitCodes, UsageError } from "../command.ts";
import { withInstallation } from "../installation/installation.ts";
import { checkArchiveFile } from "../options/archive-file.ts";
import { checkValue } from "../options/check-value.ts";
import { jsonOption, print } from "../options/json.ts";
import { INTERRUPTED, inFolder, outcomeOf, printReport, printSignIn, writeReport } from "./import-source.ts";

/** A line of progress at most each so many rows. */
const PROGRESS_STEP = 50_000;

export const importParley = command({
  usage: ["import parley FILE --host HOST [--dry-run]"],
  details: `
Makes a new organization of what parley export --everything wrote, here or on another server of the same
version. Everything is read and checked before anything is written. Ids and links stay as they were. The
server may run meanwhile; people reach the organization when all is there. After Ctrl-C or a crash, the same
command goes on where it stopped, and parley import cancel takes everything back. Deactivate the old
organization first: otherwise both send what is scheduled. docs/imports.md says what comes.`,
  options: {
    host: { value: "HOST", description: "The host name under which people will reach it." },
    "dry-run": { description: "Only read and report: nothing is written." },
    name: { value: "NAME", description: "The organization's name, in place of the one in the export." },
    json: jsonOption,
    report: { value: "FILE", description: "Also writes the report to a new file, as JSON." },
  },
  words: { min: 1, max: 1 },
  async run({ values, words, environment }) {
    if (values.host === undefined)
      throw new UsageError("Say under which name people will reach it, with --host HOST.");
    const host = checkValue("--host", parseHost, values.host);
    if (values.name !== undefined) checkValue("--name", parseOrganizationName, values.name);
    const [file = ""] = words;
    checkArchiveFile(file);
    const report = new Report();
    const interruption = new AbortController();
    const interrupt = () => interruption.abort(new CommandError("cancelled", INTERRUPTED));
    process.once("SIGINT", interrupt).once("SIGTERM", interrupt);
    const options = { host, name: values.name, signal: interruption.signal };
    try {
      const result = await inFolder(environment, (folder) =>
        values["dry-run"] === true
          ? importFile(undefined, file, { ...options, folder }, report)
          : withInstallation(
              environment,
              (services) => importFile(services, file, { ...options, folder }, report),
              { mayCreate: true },
            ),
      );
      const isTrial = values["dry-run"] === true;
      const outcome = isTrial ? "dry run" : outcomeOf(result);
      if (values.json === true) print(values, "", { host, outcome, ...report.toJSON() });
      else if (result === "imported before") {
        process.stdout.write(`This archive was imported to ${host} before. Nothing was written.\n`);
      } else {
        printReport(report);
        if (isTrial) process.stdout.write("Nothing was written.\n");
        else printSignIn(host);
      }
      if (values.report !== undefined) await writeReport(values.report, report);
    } finally {
      process.off("SIGINT", interrupt).off("SIGTERM", interrupt);
    }
    return exitCodes.ok;
  },
});

/** Without services nothing is written. */
async function importFile(
  services: Pick<Services, "database" | "files" | "keyring" | "organizations"> | undefined,
  file: string,
  { folder, ...options }: WriteOptions & { folder: string },
  report: Report,
): Promise<ImportResult | undefined> {
  const { signal } = options;
  const files = join(folder, "files");
  await mkdir(files);
  const archive = await unpack(file, files, { signal });
  const found = kindOf(archive);
  if (found === undefined) throw new ArchiveError("This is no export of Parley.");
  if (found !== "parley")
    throw new ArchiveError(`This is ${archiveKinds[found]}, not ${archiveKinds.parley}.`);
  const onRead = progressOf("read");
  const read = await readWhole(archive, { schema: ownSchema(), report, signal, onRead });
  if (!services) return undefined;
  return writeWhole(services, read, { ...options, onWritten: progressOf("written", read.rows) }, report);
}

function progressOf(what: string, of?: number): (done: number) => void {
  let printed = 0;
  return (done) => {
    if (done !== of && done - printed < PROGRESS_STEP) return;
    printed = done;
    process.stderr.write(`${done}${of === undefined ? "" : ` of ${of}`} records ${what}\n`);
  };
}
