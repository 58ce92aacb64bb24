import path from "node:path";
import { readConfig } from "../../server/config.ts";
import { readUntil } from "../../server/platform/backup/log-chunks.ts";
import { findBackup, findBackupBefore, type Manifest } from "../../server/platform/backup/manifest.ts";
import { openTarget } from "../../server/platform/backup/open-target.ts";
import { restoreBackup } from "../../server/platform/backup/restore.ts";
import type { BackupTarget } from "../../server/platform/backup/target.ts";
import { openFileStorage } from "../../server/platform/file-storage/open-storage.ts";
import { CommandError, command, exitCodes, UsageError } from "../command.ts";
import { jsonOption, print } from "../options/json.ts";
import { targetPlace } from "../options/target-place.ts";
import { describeBytes } from "../terminal/bytes.ts";
import { backupData } from "./backup-list.ts";

export const restore = command({
  usage: ["restore TARGET --data-dir DIR [--at TIME | --backup ID] [--as-copy]"],
  details: `
Restores a backup into an empty or new data directory, on which the server is then started. Nothing is
changed in the target. It has the newest state that is there: the newest backup and the log that was
archived since. Files go to where PARLEY_FILES says, or else to the data directory. A restore
that is interrupted leaves a directory on which no server starts.`,
  options: {
    "data-dir": { value: "DIR", description: "The new data directory." },
    at: {
      value: "TIME",
      description: "As it was at that moment, such as 2026-11-28T08:30:00Z. Needs the archived log.",
    },
    json: jsonOption,
    "as-copy": { description: "For a trial beside the original: no mail, no webhooks, no backups." },
    backup: { value: "ID", description: "As it was at the end of this backup of parley backup list." },
  },
  words: { min: 1, max: 1 },
  async run({ values, words: [place = ""], environment }) {
    const named = values["data-dir"];
    if (named === undefined || named === "")
      throw new UsageError("Say where to restore to: --data-dir DIR, an empty or new directory.");
    if (environment.DATABASE_URL?.trim())
      throw new CommandError(
        "database-not-embedded",
        "DATABASE_URL is set, but a restore makes a database of its own in the data directory. Unset it for this command.",
      );
    if (values.at !== undefined && values.backup !== undefined)
      throw new UsageError("Give --at or --backup, not both.");
    const at = values.at === undefined ? undefined : parseTime(values.at);
    const dataDir = path.resolve(named);
    const target = openTarget(targetPlace(environment, place));
    const backup = at ? await findBackupBefore(target, at) : await findBackup(target, values.backup);
    const until = at ?? (values.backup === undefined ? "newest" : "backup");
    const config = readConfig({ PARLEY_LOG: "error", ...environment, PARLEY_DATA_DIR: dataDir });
    await restoreBackup(target, backup, {
      dataDir,
      files: openFileStorage(config),
      until,
      isCopy: values["as-copy"] === true,
    });
    const moments = await momentsOf(target, backup, until);
    print(values, describe(backup, moments, dataDir), {
      ...backupData(backup),
      data_dir: dataDir,
      moment: moments.moment,
      files_until: moments.filesUntil,
    });
    return exitCodes.ok;
  },
});

function parseTime(text: string): Date {
  const at = new Date(text);
  if (!Number.isNaN(at.getTime())) return at;
  throw new UsageError(`'${text}' is no time. Write it as 2026-11-28T08:30:00Z, or with +01:00 for Z.`);
}

/** What the restored database shows, and up to when the files are there. */
async function momentsOf(
  target: BackupTarget,
  { log, finishedAt }: Manifest,
  until: "backup" | "newest" | Date,
): Promise<{ moment: string; filesUntil: string }> {
  const newest = (await findBackup(target)).finishedAt;
  if (until === "backup") return { moment: finishedAt, filesUntil: finishedAt };
  if (until !== "newest") return { moment: until.toISOString(), filesUntil: newest };
  const end = log === undefined ? undefined : (await readUntil(target, log))?.at.toISOString();
  return { moment: end !== undefined && end > finishedAt ? end : finishedAt, filesUntil: newest };
}

function describe(
  { id, database, files, secret }: Manifest,
  { moment, filesUntil }: { moment: string; filesUntil: string },
  dataDir: string,
): string {
  return [
    `Backup ${id} is restored in ${dataDir}, as everything was at ${moment}.`,
    ...(moment > filesUntil
      ? [`  note      files that were uploaded after ${filesUntil} are missing, since no backup has them`]
      : []),
    `  database  ${describeBytes(database.bytes)}`,
    `  files     ${files.count}, ${describeBytes(files.bytes)}`,
    ...(secret.kind === "left out"
      ? [`  secret    not in the backup: put it into ${path.join(dataDir, "secret")}, or set PARLEY_SECRET`]
      : []),
    `Start it with PARLEY_DATA_DIR=${dataDir}. Apps that are open load everything again.`,
    "",
  ].join("\n");
}
