/** The composition root: configuration → database → log → rooms → HTTP, and the same backwards at the end. */
import type { FastifyInstance } from "fastify";
import pino, { type Logger } from "pino";
import { organizationSettings } from "../api/organization-settings.ts";
import type { Config } from "./config.ts";
import { type Connection, Database } from "./db/database.ts";
import { migrate } from "./db/migrate.ts";
import { sql } from "./db/sql.ts";
import { Follower } from "./events/follower.ts";
import { keepEventPartitions } from "./events/partitions.ts";
import { Queues } from "./events/queues.ts";
import { createHttp, listen } from "./http/app.ts";
import { defaultRateLimits } from "./http/rate-limit.ts";
import { registerPages } from "./onboarding/pages.ts";
import { organization } from "./organization/organization.ts";
import { Organizations } from "./organization/organizations.ts";
import { registerFiles } from "./organization/pages.ts";
import { settingOf } from "./organization/setting.ts";
import { startEmbeddedPostgres } from "./postgres/launcher.ts";
import { registerReference } from "./reference/pages.ts";
import { logPartsOfRooms, routesOfRooms, snapshotSlicesOfRooms } from "./rooms.ts";
import { readSecret } from "./secret.ts";
import type { Services } from "./services.ts";
import { authenticate, authenticationVersion } from "./users/authenticate.ts";
import { Keyring } from "./users/keyring.ts";

/** Enough for a room full of people trying things out with scripts. */
const DEVELOPMENT_RATE_LIMITS = { windowSeconds: 60, perUser: 20_000, perAddress: 20_000 };
const PARTITIONS_EVERY_MS = 3600 * 1000;

/** Everything but HTTP: what the commands use, and what the server stands on. */
export interface Core {
  services: Services;
  /** Resolves with a sentence if the database ends by itself. */
  databaseEnded: Promise<string>;
  stop(): Promise<void>;
}

export async function startCore(config: Config, log: Logger = createLog(config)): Promise<Core> {
  const postgres = config.databaseUrl ? undefined : await startEmbeddedPostgres({ dataDir: config.dataDir });
  try {
    const connection = postgres?.connection ?? { connectionString: config.databaseUrl as string };
    await migrate(connection);
    const services = await openServices(config, log, connection);
    const follower = new Follower(services.database, () => services.organizations.loaded, report(log));
    await follower.start();
    services.queues.start();
    const partitions = setInterval(() => {
      keepEventPartitions(services.database).catch(report(log));
    }, PARTITIONS_EVERY_MS).unref();
    return {
      services,
      databaseEnded: postgres
        ? postgres.exited.then(() => "The embedded PostgreSQL has ended by itself.")
        : new Promise(() => {}),
      async stop() {
        clearInterval(partitions);
        // The database may be gone already; everything else must be closed all the same.
        await services.queues.stop().catch(report(log));
        await follower.stop();
        await services.database.close();
        await postgres?.stop();
      },
    };
  } catch (error) {
    await postgres?.stop();
    throw error;
  }
}

/** The HTTP side over a running core; not yet listening. */
export function createServer(services: Services): Promise<FastifyInstance> {
  const { config, organizations, keyring, database, log } = services;
  return createHttp({
    routes: routesOfRooms(services),
    liveOf: (host) => organizations.byHost(host),
    authenticate: (live, email, apiKey, client) => authenticate(live, keyring, email, apiKey, client),
    authVersion: authenticationVersion,
    canSpectate: (live) =>
      config.webPublicStreams && settingOf(live, organizationSettings.enableSpectatorAccess),
    isDeactivated: (live) => !live.get(organization).isActive,
    rateLimits: config.hasRateLimits
      ? config.isDevelopment
        ? DEVELOPMENT_RATE_LIMITS
        : defaultRateLimits
      : undefined,
    publicUrl: config.publicUrl,
    isDevelopment: config.isDevelopment,
    log,
    async health() {
      await database.query(sql`select 1`);
      return {};
    },
    plainPages(pages) {
      registerReference(pages);
      registerFiles(pages);
      registerPages(pages, services);
    },
  });
}

export { listen };

/** The rooms over a migrated database, without timers: what tests use. */
export async function openServices(config: Config, log: Logger, connection: Connection): Promise<Services> {
  const keyring = new Keyring(readSecret(config));
  const database = await Database.open(connection);
  await keepEventPartitions(database);
  const organizations = new Organizations(database, logPartsOfRooms(report(log)), publicHost(config));
  const queues = new Queues(database, () => organizations.loaded.values(), report(log));
  return {
    config,
    database,
    organizations,
    queues,
    keyring,
    snapshotSlices: snapshotSlicesOfRooms(config),
    log,
  };
}

export function createLog(config: Config): Logger {
  return pino({ level: config.logLevel }, pino.destination(2));
}

function report(log: Logger): (error: unknown) => void {
  return (error) => log.error({ err: error }, "something in the background failed");
}

function publicHost(config: Config): string | undefined {
  return config.publicUrl === undefined ? undefined : new URL(config.publicUrl).hostname;
}
