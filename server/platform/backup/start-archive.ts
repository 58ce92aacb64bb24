import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import type { Config } from "../../config.ts";
import { type StartedDatabase, startDatabase } from "../db/start-database.ts";
import { SUPERUSER } from "../postgres/cluster.ts";
import type { Connection } from "../postgres/ready.ts";
import { withConnection } from "./connection.ts";
import { isCopy } from "./copy-mark.ts";
import { LogArchive } from "./log-archive.ts";
import { openTarget } from "./open-target.ts";
import { dropSlot, findArchiveSlot } from "./store.ts";

const STOP_MS = 2_000;

/** Starts the database, and the archive of its log if it is the embedded one. Both stop together. */
export async function startArchivedDatabase(
  config: Config,
  settings: Record<string, string>,
  log: Pick<Logger, "error" | "warn" | "info" | "debug">,
): Promise<StartedDatabase> {
  const database = await startDatabase(config, settings, log);
  if (database.place === undefined) return database;
  try {
    const archive = await startArchive(config, database.connection as Connection, log);
    return {
      ...database,
      async stop() {
        // PostgreSQL's stop waits for what reads its log. A target that hangs must not keep the server.
        await Promise.race([archive.stop(), sleep(STOP_MS, undefined, { ref: false })]);
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
  config: Pick<Config, "backup" | "dataDir" | "files">,
  connection: Connection,
  log: Pick<Logger, "error">,
): Promise<Pick<LogArchive, "stop">> {
  if (config.backup !== undefined) {
    const target = openTarget(config.backup, config);
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
