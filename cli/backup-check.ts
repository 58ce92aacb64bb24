/** What doctor says about the target of backups. */
import type { Config } from "../server/config.ts";
import { readUntil } from "../server/platform/backup/log-chunks.ts";
import { listBackups } from "../server/platform/backup/manifest.ts";
import { openTarget } from "../server/platform/backup/open-target.ts";
import { BackupError } from "../server/platform/backup/target.ts";
import { findLockHolder } from "../server/platform/postgres/lock.ts";
import { type Finding, failed, passed, warned } from "./checks.ts";

const OLD_BACKUP_MS = 2 * 24 * 3600 * 1000;
/** The archive says every ten seconds how far it is. */
const OLD_LOG_MS = 10 * 60 * 1000;
const ADVICE = "docs/backup.md says how.";

export async function checkBackups(
  config: Pick<Config, "backup" | "databaseUrl" | "dataDir" | "files">,
  now = new Date(),
): Promise<Finding> {
  if (config.databaseUrl !== undefined)
    return passed("The database in DATABASE_URL is backed up by its own tools, if by any.");
  if (config.backup === undefined)
    return passed("PARLEY_BACKUP is not set, so backups are not looked at, and no log is archived.");
  try {
    const target = openTarget(config.backup, config);
    const newest = (await listBackups(target)).at(-1);
    if (!newest) return warned(`No backup in ${target.name} was ever finished.`, `Make one. ${ADVICE}`);
    const backupAt = new Date(newest.finishedAt);
    if (now.getTime() - backupAt.getTime() > OLD_BACKUP_MS)
      return warned(`The newest backup in ${target.name} is of ${newest.finishedAt}.`, `Make one. ${ADVICE}`);
    if (newest.log === undefined)
      return warned(
        `The newest backup in ${target.name} was made without the archived log.`,
        "Restart the server with PARLEY_BACKUP, then make a backup.",
      );
    const until = (await readUntil(target, newest.log))?.at;
    const isRunning = (await findLockHolder(config.dataDir)) !== undefined;
    if (isRunning && now.getTime() - (until?.getTime() ?? 0) > OLD_LOG_MS)
      return warned(
        `The log in ${target.name} ends at ${until?.toISOString() ?? "the last backup"}, though the server runs.`,
        "Its own log says why. If it was restarted without PARLEY_BACKUP meanwhile, make a backup.",
      );
    return passed(`The newest backup in ${target.name} is of ${newest.finishedAt}.`);
  } catch (error) {
    if (!(error instanceof BackupError)) throw error;
    return failed(error.message, ADVICE);
  }
}
