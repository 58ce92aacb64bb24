import { realpathSync } from "node:fs";
import os from "node:os";
import { findBackup } from "../../server/platform/backup/manifest.ts";
import { openTarget } from "../../server/platform/backup/open-target.ts";
import { verifyBackup } from "../../server/platform/backup/verify.ts";
import { CommandError, command, exitCodes } from "../command.ts";
import { jsonOption, print } from "../options/json.ts";
import { targetPlace } from "../options/target-place.ts";
import { describeBytes } from "../terminal/bytes.ts";
import { backupData } from "./backup-list.ts";

export const backupVerify = command({
  usage: ["backup verify [--backup ID] [--scratch DIR] TARGET"],
  details: `
Proves that a backup can be restored: does so in a scratch directory, starts the database there, reads
all rows and files, and compares them with their checksums. Nothing else is changed, and the server may
run meanwhile. It takes as much space and nearly as much time as a restore. Exits with 1 if the backup
is not good.`,
  options: {
    backup: { value: "ID", description: "Which backup, as in parley backup list. The newest by default." },
    json: jsonOption,
    scratch: { value: "DIR", description: "Where to restore to for the trial. By default the system's." },
  },
  words: { min: 1, max: 1 },
  async run({ values, words: [place = ""], environment }) {
    const scratch = scratchDirectory(values.scratch ?? os.tmpdir());
    const target = openTarget(targetPlace(environment, place));
    const backup = await findBackup(target, values.backup);
    const { tables, rows, indexes, files } = await verifyBackup(target, backup, scratch);
    print(
      values,
      [
        `Backup ${backup.id} in ${target.name} is good: it was restored for a trial, and all of it was read.`,
        `  database  ${tables} tables with ${rows} rows, ${indexes} indexes`,
        `  files     ${files}, ${describeBytes(backup.files.bytes)}`,
        ...(backup.secret.kind === "left out" ? ["  secret    not in the backup, so not compared"] : []),
        "",
      ].join("\n"),
      { ...backupData(backup), target: target.name, is_good: true, tables, rows, indexes, files_read: files },
    );
    return exitCodes.ok;
  },
});

function scratchDirectory(named: string): string {
  try {
    return realpathSync(named);
  } catch {
    throw new CommandError("file-missing", `There is no directory ${named} for the trial.`);
  }
}
