import { existsSync, statSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createLog, openServices, startCore } from "../server/app.ts";
import { type Config, readConfig } from "../server/config.ts";
import type { Connection } from "../server/platform/db/database.ts";
import { migrate } from "../server/platform/db/migrate.ts";
import { findLockHolder } from "../server/platform/postgres/lock.ts";
import { findRunningPostgres } from "../server/platform/postgres/running.ts";
import type { Services } from "../server/services.ts";
import { CommandError } from "./command.ts";
import { checkDatabase } from "./database-check.ts";

const SERVER_STARTS_MS = 20_000;
const POLL_MS = 100;

/**
 * Runs `use` on the installation of these settings, whether its server is running or not. The database is the
 * one in DATABASE_URL, the embedded one of the running server, or an embedded one that is started for this
 * command only.
 */
export async function withInstallation<T>(
  environment: NodeJS.ProcessEnv,
  use: (services: Services) => Promise<T>,
): Promise<T> {
  const config = readInstallationConfig(environment);
  const log = createLog(config);
  if (config.databaseUrl === undefined) {
    const running = await findRunning(config.dataDir);
    if (running) return withDatabase(config, running, use);
    const core = await startCore(config, log);
    try {
      return await use(core.services);
    } finally {
      await core.stop();
    }
  }
  await checkDatabase(config.databaseUrl);
  return withDatabase(config, { connectionString: config.databaseUrl }, use);
}

/** The settings of the server that uses the data directory. Only errors are logged by default. */
export function readInstallationConfig(environment: NodeJS.ProcessEnv): Config {
  const config = readConfig({ PARLEY_LOG: "error", ...environment });
  if (environment.PARLEY_ENV || config.databaseUrl !== undefined) return config;
  // A production server makes a secret at its first start, so data without one is a development server's.
  const isFromDevelopment =
    existsSync(path.join(config.dataDir, "postgres")) && !existsSync(path.join(config.dataDir, "secret"));
  return { ...config, isDevelopment: isFromDevelopment };
}

async function withDatabase<T>(
  config: Config,
  connection: Connection,
  use: (services: Services) => Promise<T>,
): Promise<T> {
  await migrate(connection);
  const services = await openServices(config, createLog(config), connection);
  try {
    return await use(services);
  } finally {
    await services.database.close();
  }
}

/** The database of the server that runs on the data directory. Waits for a server that is still starting. */
export async function findRunning(dataDir: string): Promise<Connection | undefined> {
  const deadline = Date.now() + SERVER_STARTS_MS;
  try {
    while ((await findLockHolder(dataDir)) !== undefined) {
      const connection = await findRunningPostgres(dataDir);
      if (connection) {
        // The socket's directory is closed to all users but the server's user and root.
        statSync(path.join(connection.host, `.s.PGSQL.${connection.port}`));
        return connection;
      }
      if (Date.now() > deadline) {
        throw new CommandError(
          `The server on the data directory ${dataDir} does not use the database in it. Set DATABASE_URL to the server's own value.`,
        );
      }
      await sleep(POLL_MS);
    }
    return undefined;
  } catch (error) {
    if (!isDenied(error)) throw error;
    throw new CommandError(explainOwner(dataDir), { cause: error });
  }
}

function explainOwner(dataDir: string): string {
  const { uid } = statSync(dataDir);
  return `The data directory ${dataDir} belongs to another user (id ${uid}). Run this command as that user, or as root.`;
}

function isDenied(error: unknown): boolean {
  return ["EACCES", "EPERM"].includes((error as { code?: string }).code ?? "");
}
