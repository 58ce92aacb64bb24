/** What doctor says about the target of backups. */
import type { Config } from "../../server/config.ts";
import { type BackupRecord, readBackupRecord } from "../../server/platform/backup/backup-record.ts";
import { readUntil } from "../../server/platform/backup/log-chunks.ts";
import { listBackups, type Manifest } from "../../server/platform/backup/manifest.ts";
import { openTarget } from "../../server/platform/backup/open-target.ts";
import { OUTSIDE_DATABASE } from "../../server/platform/backup/start-archive.ts";
import { BackupError } from "../../server/platform/backup/target.ts";
import { targetPlaceOf } from "../../server/platform/backup/target-place.ts";
import { periodMs } from "../../server/platform/backup/times.ts";
import { findLockHolder } from "../../server/platform/postgres/lock.ts";
import { type Finding, failed, passed, warned } from "./checks.ts";

/** As for the warnings of the server itself. */
const OLD_PERIODS = 2;
/** The archive says every ten seconds how far it is. */
const OLD_LOG_MS = 10 * 60 * 1000;
const ADVICE = "docs/backup.md says how.";

export async function checkBackups(
  config: Pick<
    Config,
    "backup" | "backupAt" | "backupKey" | "backupS3" | "databaseUrl" | "dataDir" | "files" | "s3"
  >,
  now = new Date(),
): Promise<Finding> {
  if (config.databaseUrl !== undefined)
    return config.backup === undefined
      ? passed("The PostgreSQL in DATABASE_URL is yours to back up, with PARLEY_SECRET and the files.")
      : warned("database-not-embedded", OUTSIDE_DATABASE, "Unset PARLEY_BACKUP when you have done that.");
  const place = targetPlaceOf(config);
  if (!place)
    return passed("PARLEY_BACKUP is not set, so backups are not looked at, and no log is archived.");
  try {
    const target = openTarget(place, config);
    const newest = (await listBackups(target)).at(-1);
    const why = failureAfter(newest, await readBackupRecord(config.dataDir), target.name);
    if (!newest)
      return warned(
        "backup-old",
        `No backup in ${target.name} was ever finished.`,
        why ?? makeOne(config.backup),
      );
    const backupAt = new Date(newest.finishedAt);
    const newestIs = `The newest backup in ${target.name} is of ${newest.finishedAt}.`;
    if (why !== undefined) return warned("backup-failed", `${newestIs} The last try failed.`, why);
    if (now.getTime() - backupAt.getTime() > OLD_PERIODS * periodMs(config.backupAt))
      return warned("backup-old", newestIs, makeOne(config.backup));
    if (newest.log === undefined)
      return warned(
        "backup-log",
        `The newest backup in ${target.name} was made without the archived log.`,
        "Restart the server with PARLEY_BACKUP, then make a backup.",
      );
    const until = (await readUntil(target, newest.log))?.at;
    const isRunning = (await findLockHolder(config.dataDir)) !== undefined;
    if (isRunning && now.getTime() - (until ?? backupAt).getTime() > OLD_LOG_MS)
      return warned(
        "backup-log",
        `The log in ${target.name} ends at ${until?.toISOString() ?? "the last backup"}, though the server runs.`,
        "Its own log says why. If it was restarted without PARLEY_BACKUP meanwhile, make a backup.",
      );
    return passed(newestIs);
  } catch (error) {
    if (!(error instanceof BackupError)) throw error;
    return failed(error.fault, error.message, ADVICE);
  }
}

function makeOne(target: string | undefined): string {
  return `Make one with parley backup ${target}, and look in the log of the server why it made none. ${ADVICE}`;
}

/** Why the server's last try failed, unless it made a backup since or has another target. */
function failureAfter(
  newest: Manifest | undefined,
  record: BackupRecord | undefined,
  target: string,
): string | undefined {
  const failure = record?.target === target ? record.failure : undefined;
  return failure && (!newest || newest.finishedAt < failure.at) ? failure.sentence : undefined;
}
