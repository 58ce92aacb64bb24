import type { Config } from "../../config.ts";
import { startEmbeddedPostgres } from "../postgres/launcher.ts";
import type { Connection } from "./database.ts";
import { migrate } from "./migrate.ts";

/** A database with the schema that this program knows. */
export interface StartedDatabase {
  connection: Connection;
  /** Resolves with a sentence if it ends by itself and can't be started again. */
  ended: Promise<string>;
  stop(): Promise<void>;
}

/**
 * The embedded PostgreSQL on the data directory, or the one in DATABASE_URL; brought up to date. `onEnd` hears of each time
 * that the embedded one has ended by itself and is started again.
 */
export async function startDatabase(
  { databaseUrl, dataDir }: Config,
  settings: Record<string, string> = {},
  onEnd?: (sentence: string) => void,
): Promise<StartedDatabase> {
  if (databaseUrl !== undefined) {
    const connection = { connectionString: databaseUrl };
    await migrate(connection);
    return { connection, ended: new Promise(() => {}), stop: async () => {} };
  }
  const postgres = await startEmbeddedPostgres({ dataDir, settings, ...(onEnd && { onEnd }) });
  try {
    await migrate(postgres.connection);
  } catch (error) {
    await postgres.stop();
    throw error;
  }
  return {
    connection: postgres.connection,
    ended: postgres.exited,
    stop: () => postgres.stop(),
  };
}
