import { rm, stat } from "node:fs/promises";
import { exportTypes } from "../../api/administration/exports.ts";
import { recordExport } from "../../server/administration/exports/actions.ts";
import { ErasureUnderWay } from "../../server/administration/exports/whole/write.ts";
import { writeExport } from "../../server/administration/exports/write.ts";
import { exportsOfModules } from "../../server/modules.ts";
import { organization } from "../../server/organization/organization.ts";
import { runContentChange } from "../../server/platform/log/change.ts";
import { CommandError, command, exitCodes, UsageError } from "../command.ts";
import { withInstallation } from "../installation/installation.ts";
import { jsonOption, print } from "../options/json.ts";
import { findOrganization, hostOption } from "../options/people.ts";
import { safeLine } from "../terminal/terminal-text.ts";

export const exportOrganization = command({
  usage: ["export [--host HOST] [--public | --consent | --everything] FILE"],
  details: `
Writes the data of an organization to a new file, a gzipped tar file: people, groups, channels and
messages. docs/exports.md says what is in it. The server may run meanwhile. Unlike an export over the
API, it has everybody's email address. With --everything it can be imported on another server, and has
everybody's private messages and files.`,
  options: {
    host: hostOption,
    json: jsonOption,
    public: { description: "Only messages of public channels. This is the default." },
    consent: { description: "Also private messages of people who let exports have them." },
    everything: { description: "All that people wrote and chose, with all files; no passwords or keys." },
  },
  words: { min: 1, max: 1 },
  async run({ values, words, environment }) {
    const chosen = [values.public, values.consent, values.everything].filter((each) => each === true);
    if (chosen.length > 1) throw new UsageError("Give only one of --public, --consent and --everything.");
    const type =
      values.everything === true
        ? "whole"
        : values.consent === true
          ? exportTypes.fullWithConsent
          : exportTypes.public;
    const [file = ""] = words;
    const { name, messages, lostFiles } = await withInstallation(environment, async (services) => {
      const state = await findOrganization(services, values.host);
      const interruption = new AbortController();
      const interrupt = () =>
        interruption.abort(new CommandError("cancelled", "Interrupted. The file was deleted."));
      process.once("SIGINT", interrupt).once("SIGTERM", interrupt);
      try {
        const { signal } = interruption;
        const written = await writeExport(state, file, {
          type,
          reader: undefined,
          given: exportsOfModules(),
          files: services.files,
          signal,
          onProgress: printingProgress(),
        });
        await runContentChange(state, (tx) => recordExport(tx, undefined, type)).catch(async (error) => {
          await rm(file, { force: true });
          throw error;
        });
        return { ...written, name: state.get(organization).name };
      } catch (error) {
        throw explainNewFile(error, file);
      } finally {
        process.off("SIGINT", interrupt).off("SIGTERM", interrupt);
      }
    });
    const { size: bytes } = await stat(file);
    if (values.json === true) print(values, "", { file, bytes, name, messages, lostFiles });
    if (lostFiles > 0) {
      process.stderr.write(`The storage has lost ${lostFiles} files. The export is without them.\n`);
    }
    process.stderr.write(`Exported ${safeLine(name)} with ${messages} messages to ${file}\n`);
    return exitCodes.ok;
  },
});

/** Prints a line for each tenth. */
function printingProgress(): (percent: number) => void {
  let shown = 0;
  return (percent) => {
    if (percent < shown + 10) return;
    shown = percent;
    process.stderr.write(`${percent} %\n`);
  };
}

/** A sentence for what can keep a new file from being written; otherwise the error as it is. */
export function explainNewFile(error: unknown, file: string): unknown {
  if (error instanceof ErasureUnderWay)
    return new CommandError("erasure-running", error.message, { cause: error });
  const { code } = error as { code?: unknown };
  if (code === "EEXIST")
    return new CommandError("file-exists", `${file} exists. Give the name of a new file.`);
  if (code === "ENOENT") return new CommandError("file-unwritable", `There is no folder for ${file}.`);
  if (code === "EACCES") return new CommandError("file-unwritable", `${file} can't be written.`);
  if (code === "ENOSPC") return new CommandError("disk-full", `There is no space left for ${file}.`);
  return error;
}
