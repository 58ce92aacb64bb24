import { type BackupRecord, isBackupOld, readBackupRecord } from "../backup/backup-record.ts";
import { periodMs, type Times } from "../backup/times.ts";
import { describeSeconds } from "./duration.ts";
import { type Finding, ok, type Part, warning } from "./finding.ts";

/** Whether the backups of the embedded database are made. */
export function backupPart(dataDir: string, times: Times): Part {
  return {
    name: "backup",
    everySeconds: 60,
    check: async () => judgeBackups(await readBackupRecord(dataDir), new Date(), times),
  };
}

/** `record`: undefined while the server has not looked at the target yet. Shared with `parley doctor`. */
export function judgeBackups(record: BackupRecord | undefined, now: Date, times: Times): Finding {
  if (record === undefined) return ok("No backup was due yet.");
  const { newest, since, failure } = record;
  if (isBackupOld(record, now, periodMs(times))) {
    const why = failure ? `: ${failure.sentence}` : ". Make one with parley backup.";
    return warning("backup-old", `${describeAge(newest?.finishedAt, since, now)}${why}`);
  }
  if (failure) return warning("backup-failed", `The last backup failed: ${failure.sentence}`);
  return ok(newest ? `The last backup is of ${newest.finishedAt}.` : "No backup was due yet.");
}

function describeAge(newestAt: string | undefined, since: string, now: Date): string {
  const age = describeSeconds((now.getTime() - Date.parse(newestAt ?? since)) / 1000);
  return newestAt === undefined
    ? `No backup has succeeded for ${age}`
    : `The last backup is of ${newestAt}, ${age} ago`;
}
