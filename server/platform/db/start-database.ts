import type { Logger } from "pino";
import type { Config } from "../../config.ts";
import { startEmbeddedPostgres } from "../postgres/launcher.ts";
import { levelOfLine } from "../postgres/log-level.ts";
import type { Connection } from "./database.ts";
import { checkFirstStart } from "./first-start.ts";
import { migrate } from "./migrate.ts";
import { checkSecret } from "./secret-check.ts";
import { ServerLease } from "./server-lease.ts";

/** A database with the schema that this program knows. */
export interface StartedDatabase {
  connection: Connection;
  /** Identifies the files of the embedded database; undefined for an outside one. */
  place: string | undefined;
  /**
   * Resolves with a sentence if the database ends by itself and can't be restarted, or became a newer
   * release's.
   */
  ended: Promise<string>;
  stop(): Promise<void>;
}

/**
 * Starts the embedded PostgreSQL on the data directory, or uses the one in DATABASE_URL, and migrates
 * it. A database of another secret is left as it is. `log` gets a line each time the embedded PostgreSQL has
 * ended by itself, and one when it is back. It also gets the lines that PostgreSQL writes, by their level.
 */
export async function startDatabase(
  config: Config,
  settings: Record<string, string> = {},
  log?: Pick<Logger, "error" | "warn" | "info" | "debug">,
): Promise<StartedDatabase> {
  const { databaseUrl, dataDir } = config;
  if (databaseUrl !== undefined) {
    const connection = { connectionString: databaseUrl };
    await checkSecret(config, connection);
    const lease = await ServerLease.take(connection, {
      name: `parley/${process.pid}/lease`,
      report: (error) => log?.warn({ err: error }, "can't tell other servers which release this is"),
    });
    try {
      await migrate(connection, { onWait: (sentence) => log?.warn(sentence) });
    } catch (error) {
      await lease.release();
      throw error;
    }
    return { connection, place: undefined, ended: lease.refused, stop: () => lease.release() };
  }
  await checkFirstStart(config);
  const postgres = await startEmbeddedPostgres({
    ...{ dataDir, settings, isServer: true },
    onWait: (sentence) => log?.info(sentence),
    onFullDisk: (sentence) => log?.error(sentence),
    onEnd: (sentence) => log?.error(sentence),
    onReturn: (sentence) => log?.info(sentence),
    log: (line) => {
      const level = levelOfLine(line);
      if (level !== undefined) log?.[level]({ from: "postgres" }, line);
    },
  });
  try {
    await checkSecret(config, postgres.connection);
    await migrate(postgres.connection);
  } catch (error) {
    await postgres.stop();
    throw error;
  }
  return {
    connection: postgres.connection,
    place: postgres.place,
    ended: postgres.exited,
    stop: () => postgres.stop(),
  };
}
