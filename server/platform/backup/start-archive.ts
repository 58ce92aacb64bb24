import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import type { Config } from "../../config.ts";
import { findSecret } from "../crypto/secret.ts";
import { type StartedDatabase, startDatabase } from "../db/start-database.ts";
import { SUPERUSER } from "../postgres/cluster.ts";
import type { Connection } from "../postgres/ready.ts";
import { withConnection } from "./connection.ts";
import { isCopy } from "./copy-mark.ts";
import { LogArchive } from "./log-archive.ts";
import { openTarget } from "./open-target.ts";
import { keepPlace, noticeCopy } from "./place-mark.ts";
import { runBackup } from "./run-backup.ts";
import { BackupSchedule } from "./schedule.ts";
import { dropSlot, findArchiveSlot } from "./store.ts";
import { storedSecretOf } from "./stored-secret.ts";
import { targetPlaceOf } from "./target-place.ts";

const STOP_MS = 2_000;

/** PARLEY_BACKUP is for the embedded database alone. */
export const OUTSIDE_DATABASE =
  "PARLEY_BACKUP is set, but backs up nothing: the PostgreSQL in DATABASE_URL is yours to back up, with PARLEY_SECRET and the files. docs/backup.md says how.";

/**
 * Starts the database, and if it is the embedded one, the archive of its log and the schedule of its backups.
 * All stop together.
 */
export async function startArchivedDatabase(
  config: Config,
  settings: Record<string, string>,
  log: Pick<Logger, "error" | "warn" | "info" | "debug">,
): Promise<StartedDatabase> {
  const database = await startDatabase(config, settings, log);
  if (database.place === undefined) {
    if (config.backup !== undefined) log.warn(OUTSIDE_DATABASE);
    return database;
  }
  try {
    const sentence = noticeCopy(config.dataDir);
    if (sentence !== undefined) log.warn(sentence);
    keepPlace(config.dataDir);
    const connection = database.connection as Connection;
    const archive = await startArchive(config, connection, log);
    const schedule = startSchedule(config, connection, log);
    return {
      ...database,
      async stop() {
        // PostgreSQL's stop waits for what reads its log. A target that hangs must not keep the server.
        const stopped = Promise.all([archive.stop(), schedule?.stop()]);
        await Promise.race([stopped, sleep(STOP_MS, undefined, { ref: false })]);
        await database.stop();
      },
    };
  } catch (error) {
    await database.stop();
    throw error;
  }
}

/**
 * Archives the log of the embedded PostgreSQL to PARLEY_BACKUP for as long as the server runs. Without the
 * setting PostgreSQL no longer keeps its log for an archive of before.
 */
export async function startArchive(
  config: Pick<Config, "backup" | "backupKey" | "backupS3" | "dataDir" | "files" | "s3">,
  connection: Connection,
  log: Pick<Logger, "error">,
): Promise<Pick<LogArchive, "stop">> {
  const place = targetPlaceOf(config);
  if (place) {
    const target = openTarget(place, config);
    if (isCopy(config.dataDir)) return { stop: async () => {} };
    return new LogArchive({
      connection,
      target,
      report: (error) => log.error({ err: error }, "the log of the database is not archived; trying again"),
    });
  }
  await withConnection({ ...connection, user: SUPERUSER }, async (db) => {
    const slot = await findArchiveSlot(db);
    if (slot) await dropSlot(db, slot.name);
  });
  return { stop: async () => {} };
}

/** Copies have no backups of their own. */
function startSchedule(
  config: Config,
  connection: Connection,
  log: Pick<Logger, "error" | "info">,
): BackupSchedule | undefined {
  const { backupAt: times, backupKeep: keep, dataDir, files, s3 } = config;
  const target = targetPlaceOf(config);
  if (!target || isCopy(dataDir)) return undefined;
  return new BackupSchedule({
    target: openTarget(target, config),
    dataDir,
    times,
    secret: findSecret(config),
    log,
    async make(signal) {
      const secret = await storedSecretOf(config, connection);
      await runBackup({ config: { dataDir, files, s3 }, target, connection, secret, keep }, signal);
    },
  });
}
