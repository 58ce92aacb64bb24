import { statSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createLog, openServices } from "../../server/app.ts";
import { type Config, readConfig } from "../../server/config.ts";
import type { Connection } from "../../server/platform/db/database.ts";
import { checkFirstStart } from "../../server/platform/db/first-start.ts";
import { migrate } from "../../server/platform/db/migrate.ts";
import { checkSecret, isFromDevelopment } from "../../server/platform/db/secret-check.ts";
import { type ClientOrConfig, withClient } from "../../server/platform/db/with-client.ts";
import { StorageAway } from "../../server/platform/file-storage/file-storage.ts";
import { hasCluster } from "../../server/platform/postgres/cluster-files.ts";
import { startEmbeddedPostgres } from "../../server/platform/postgres/launcher.ts";
import { findLockHolder } from "../../server/platform/postgres/lock.ts";
import { findRunningPostgres } from "../../server/platform/postgres/running.ts";
import { checkWhole } from "../../server/platform/postgres/unfinished-restore.ts";
import type { Services } from "../../server/services.ts";
import { CommandError } from "../command.ts";
import { checkDatabase } from "./database-check.ts";
import { checkChosenFolder } from "./own-folder.ts";
import { becomeOwner } from "./owner.ts";
import { refuseOlderServer, waitForFirstStart } from "./served-schema.ts";

const SERVER_STARTS_MS = 20_000;
/** A server whose socket was removed restarts its database within this time. */
const SOCKET_RETURNS_MS = 6_000;
const POLL_MS = 100;

/**
 * Runs `use` on the installation of these settings, whether its server is running or not. The database is the
 * one in DATABASE_URL, the embedded one of the running server, or an embedded one that is started for this
 * command only.
 */
export async function withInstallation<T>(
  environment: NodeJS.ProcessEnv,
  use: (services: Services) => Promise<T>,
  { mayCreate = false }: InstallationUse = {},
): Promise<T> {
  const config = readInstallationConfig(environment);
  if (mayCreate) {
    checkChosenFolder(config, environment);
    becomeOwner(config.dataDir);
  }
  if (config.databaseUrl !== undefined) {
    const { hasTables } = await checkDatabase(config.databaseUrl);
    if (!hasTables && !mayCreate) throw new CommandError("data-missing", NO_TABLES);
    const connection = { connectionString: config.databaseUrl };
    await withClient(connection, async (client) => {
      await refuseOlderServer(client);
      await prepareDatabase(config, client);
    });
    return withDatabase(config, connection, use);
  }
  const running = await findRunning(config.dataDir);
  if (running) {
    const served = await withClient(running, async (client) => {
      await refuseOlderServer(client, { isServed: true });
      await waitForFirstStart(client);
      return prepareDatabase(await withMode(environment, config, client), client);
    });
    return withDatabase(served, running, use);
  }
  await checkFirstStart(config);
  if (!mayCreate) requireData(config.dataDir);
  const { connection, place, stop } = await startEmbeddedPostgres({ dataDir: config.dataDir });
  try {
    const own = await withClient(connection, async (client) =>
      prepareDatabase(await withMode(environment, config, client), client),
    );
    return await withDatabase(own, connection, use, place);
  } finally {
    await stop();
  }
}

export interface InstallationUse {
  /** Whether the command begins an installation if there is none. Others would hide a misspelt directory. */
  mayCreate?: boolean;
}

const NO_TABLES =
  "The database in DATABASE_URL has no tables of Parley. Set DATABASE_URL to the server's own value, or start the server first.";

/** Throws a CommandError if there is no database in the data directory. */
export function requireData(dataDir: string): void {
  // Somebody else's directory is told of by who opens it.
  if (hasCluster(dataDir)) return;
  checkWhole(dataDir);
  throw new CommandError(
    "data-missing",
    `There is no Parley data in ${dataDir}. Set PARLEY_DATA_DIR to the server's own value.`,
  );
}

/** The settings of the server that uses the data directory. Only errors are logged by default. */
export function readInstallationConfig(environment: NodeJS.ProcessEnv): Config {
  return readConfig({ PARLEY_LOG: "error", ...environment });
}

/** Without PARLEY_ENV the database says whether it is a development server's. */
export async function withMode(
  environment: NodeJS.ProcessEnv,
  config: Config,
  connection: ClientOrConfig,
): Promise<Config> {
  const isGiven = environment.PARLEY_ENV?.trim() || config.secret !== undefined;
  if (isGiven || config.databaseUrl !== undefined) return config;
  return { ...config, isDevelopment: await isFromDevelopment(connection) };
}

/** The checks share one connection: PostgreSQL starts a process for each. */
async function prepareDatabase(config: Config, client: ClientOrConfig): Promise<Config> {
  await checkSecret(config, client);
  await migrate(client);
  return config;
}

/** `place`: of the embedded database that was started for this command. */
async function withDatabase<T>(
  config: Config,
  connection: Connection,
  use: (services: Services) => Promise<T>,
  place?: string,
): Promise<T> {
  const services = await openServices(config, createLog(config), connection, place, {
    program: "parley-cli",
    // A command does one thing at a time.
    pipelines: 1,
  });
  try {
    if (place !== undefined && !isRootElsewhere(config.dataDir)) await prepareFiles(services);
    return await use(services);
  } finally {
    await services.database.close();
  }
}

/**
 * Whether root would change what another user has, who could lead it elsewhere by links meanwhile. Commands
 * that make something have become that user by now.
 */
function isRootElsewhere(dataDir: string): boolean {
  return process.getuid?.() === 0 && statSync(dataDir).uid !== 0;
}

/** A storage that is away, or is not this installation's, stops only the commands that use files. */
async function prepareFiles({ files }: Pick<Services, "files">): Promise<void> {
  try {
    await files.prepare();
  } catch (error) {
    if (!(error instanceof StorageAway)) throw error;
  }
}

/** The database of the server that runs on the data directory. Waits for a server that is still starting. */
export async function findRunning(dataDir: string): Promise<Connection | undefined> {
  const deadline = Date.now() + SERVER_STARTS_MS;
  const seenBy = Date.now() + SOCKET_RETURNS_MS;
  try {
    while ((await findLockHolder(dataDir)) !== undefined) {
      const connection = await findRunningPostgres(dataDir);
      // The socket's directory is closed to all users but the server's user and root.
      if (connection && canSee(connection)) return connection;
      if (connection && Date.now() > seenBy) {
        throw new CommandError(
          "server-unseen",
          `The server on the data directory ${dataDir} is running, but the socket of its database in ${connection.host} can't be seen from here. Perhaps the server has a /tmp of its own, as with PrivateTmp=yes of systemd. Restart the server, or run this command where the server runs.`,
        );
      }
      if (Date.now() > deadline) {
        throw new CommandError(
          "server-elsewhere",
          `The server on the data directory ${dataDir} does not use the database in it. Set DATABASE_URL to the server's own value.`,
        );
      }
      await sleep(POLL_MS);
    }
    return undefined;
  } catch (error) {
    if (!isDenied(error)) throw error;
    throw new CommandError("data-denied", explainOwner(dataDir), { cause: error });
  }
}

/** Throws if this user may not look. */
function canSee({ host, port }: { host: string; port: number }): boolean {
  return statSync(path.join(host, `.s.PGSQL.${port}`), { throwIfNoEntry: false }) !== undefined;
}

function explainOwner(dataDir: string): string {
  const { uid } = statSync(dataDir);
  return `The data directory ${dataDir} belongs to another user (id ${uid}). Run this command as that user, or as root.`;
}

function isDenied(error: unknown): boolean {
  return ["EACCES", "EPERM"].includes((error as { code?: string }).code ?? "");
}
