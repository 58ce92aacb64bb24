/** For commands that change what a running server has in its memory. */
import type pg from "pg";
import type { Config } from "../../server/config.ts";
import type { Connection } from "../../server/platform/db/database.ts";
import { withClient } from "../../server/platform/db/with-client.ts";
import { startEmbeddedPostgres } from "../../server/platform/postgres/launcher.ts";
import { CommandError } from "../command.ts";
import { checkDatabase } from "./database-check.ts";
import { findRunning, readInstallationConfig, requireData, withMode } from "./installation.ts";

const OTHER_SESSIONS = `
  select from pg_stat_activity
  where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`;

/** Throws a CommandError if a server runs. The database is neither migrated nor compared with the secret. */
export async function withStoppedServer<T>(
  environment: NodeJS.ProcessEnv,
  use: (connection: Connection, config: Config) => Promise<T>,
): Promise<T> {
  const config = readInstallationConfig(environment);
  if (config.databaseUrl !== undefined) {
    await checkDatabase(config.databaseUrl);
    const connection = { connectionString: config.databaseUrl };
    await withClient(connection, checkAlone);
    return use(connection, config);
  }
  if (await findRunning(config.dataDir))
    throw new CommandError("data-in-use", "A server is running on the data directory. Stop it first.");
  requireData(config.dataDir);
  const { connection, stop } = await startEmbeddedPostgres({ dataDir: config.dataDir });
  try {
    return await use(connection, await withMode(environment, config, connection));
  } finally {
    await stop();
  }
}

/** To be asked before anything of our own is connected besides `client`. */
export async function checkAlone(client: Pick<pg.ClientBase, "query">): Promise<void> {
  const { rowCount } = await client.query(OTHER_SESSIONS);
  if (rowCount === 0) return;
  throw new CommandError(
    "data-in-use",
    "Other programs use the database in DATABASE_URL. Stop all servers on it first.",
  );
}
