/**
 * The composition root: configuration → database → log → modules → HTTP. The stop goes in the reverse
 * order.
 */
import type { FastifyInstance } from "fastify";
import pino, { type DestinationStream, type Logger } from "pino";
import { organizationSettings } from "../api/administration/organization-settings.ts";
import { checkProof } from "./accounts/proof/check.ts";
import { LastUseWriter } from "./accounts/sessions/last-use.ts";
import { LOGIN_PATH } from "./accounts/sessions/pages.ts";
import { authenticateBrowser, findRequester } from "./accounts/sessions/requester.ts";
import { authenticate, authenticateKey, authenticationVersion } from "./accounts/sign-in/authenticate.ts";
import { noteFailure } from "./accounts/sign-in/failures.ts";
import type { Config } from "./config.ts";
import { namesFiles } from "./content/names-files.ts";
import {
  dispatcherOfModules,
  fileRoutesOfModules,
  jobsOfModules,
  logPartsOfModules,
  modules,
  pagesOfModules,
  redirectsOfModules,
  routesOfModules,
} from "./modules.ts";
import { organization } from "./organization/organization.ts";
import { Organizations } from "./organization/organizations.ts";
import { settingOf } from "./organization/setting.ts";
import { knownSite } from "./organization/site.ts";
import { ownPortsOf } from "./own-ports.ts";
import { type Viewer, viewerOfCall } from "./people/viewer/viewer.ts";
import { isCopy } from "./platform/backup/copy-mark.ts";
import { startArchivedDatabase } from "./platform/backup/start-archive.ts";
import { openBus } from "./platform/bus/open-bus.ts";
import { Keyring } from "./platform/crypto/keyring.ts";
import { closeSecretFile, readSecret } from "./platform/crypto/secret.ts";
import { type Connection, Database, type DatabaseOptions } from "./platform/db/database.ts";
import { keepFilesMark } from "./platform/db/files-mark.ts";
import { keepSecretCheck } from "./platform/db/secret-check.ts";
import { slowStatements } from "./platform/db/slow-statements.ts";
import type { StartedDatabase } from "./platform/db/start-database.ts";
import { FilesElsewhere, StorageAway } from "./platform/file-storage/file-storage.ts";
import { needsSharedFiles, openFileStorage, openFilesOfCopy } from "./platform/file-storage/open-storage.ts";
import { Health } from "./platform/health/health.ts";
import { partsOf } from "./platform/health/parts.ts";
import { whyNotReady } from "./platform/health/readiness.ts";
import type { HttpOptions } from "./platform/http/app.ts";
import { defaultRateLimits } from "./platform/http/rate-limit.ts";
import { prepareJobs } from "./platform/jobs/prepare.ts";
import { JobRunner } from "./platform/jobs/runner.ts";
import { LogFollower } from "./platform/log/log-follower.ts";
import { keepEventPartitions } from "./platform/log/partitions.ts";
import { renewEpochIfRestored } from "./platform/log/timeline.ts";
import { mailerOfCopy, openMailer } from "./platform/mail/mailer.ts";
import { OutboundHttp } from "./platform/outbound-http/outbound-http.ts";
import { Queues } from "./platform/queues/queues.ts";
import { errorField } from "./platform/std/failure-facts.ts";
import { LineWriter, openOutput } from "./platform/std/line-writer.ts";
import { shortageOf } from "./platform/std/shortage.ts";
import type { Services } from "./services.ts";
import { ConfigError } from "./setting-values.ts";

/** Enough for a group of people who try things out with scripts. */
const DEVELOPMENT_RATE_LIMITS = { windowSeconds: 60, perUser: 20_000, perAddress: 20_000 };

const REPLACED =
  "The database was restored, or another server took over. Start Parley again, so that it reads what is there now.";

/** Everything but HTTP. The commands use it, and the server is built on it. */
export interface Core {
  services: Services;
  follower: LogFollower;
  /** Resolves with a message for people if the database ends by itself and can't be restarted. */
  databaseEnded: Promise<string>;
  /**
   * Begins to work on background jobs. Servers do that once they listen, since it takes a tenth of a start.
   * While the database is away it is tried again and again. Commands leave the jobs to servers.
   */
  startJobs(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts the core. With `given` it uses that database and leaves it running at the end; else it starts its
 * own.
 */
export async function startCore(
  config: Config,
  log: Logger = createLog(config),
  given?: Connection,
): Promise<Core> {
  const database: StartedDatabase = given
    ? { connection: given, place: undefined, ended: new Promise(() => {}), stop: async () => {} }
    : await startArchivedDatabase(config, {}, log);
  try {
    const services = await openServices(config, log, database.connection, database.place);
    await prepareFiles(services);
    const follower = new LogFollower(services, report(log));
    await follower.start();
    services.queues.start();
    services.health.start();
    const followers = modules.flatMap((module) => module.followers?.(services, report(log)) ?? []);
    for (const one of followers) one.start();
    let jobs: Promise<JobRunner> | undefined;
    return {
      services,
      follower,
      databaseEnded: Promise.race([database.ended, services.database.replaced.then(() => REPLACED)]),
      async startJobs() {
        jobs = JobRunner.start(services, jobsOfModules(services.mailer, isCopy(config.dataDir)));
        await jobs;
      },
      async stop() {
        services.health.stop();
        const stopJobs = async () => (await jobs)?.stop();
        // The database may already be gone. Everything else must be closed nevertheless.
        await Promise.all(
          [
            stopJobs(),
            ...followers.map((one) => one.stop()),
            services.queues.stop(),
            services.outbound.stop(),
          ].map((each) => each.catch(report(log))),
        );
        await follower.stop();
        await services.database.close();
        await database.stop();
      },
    };
  } catch (error) {
    await database.stop();
    throw error;
  }
}

const SHARED_FILES =
  "Servers on one database need one place for files: set PARLEY_FILES to the one that the others have.";

/**
 * A storage that is away delays what needs files, and not the start: chats go on without it. So does a server
 * that nobody gave a place of files: it has none of the files that other servers on the database stored, and
 * it takes no new ones.
 */
export async function prepareFiles({
  config,
  files,
  log,
}: Pick<Services, "config" | "files" | "log">): Promise<void> {
  try {
    await files.prepare();
  } catch (error) {
    if (error instanceof FilesElsewhere) {
      if (!needsSharedFiles(config)) throw new ConfigError(error.fault, error.message);
      log.warn(`${error.message} ${SHARED_FILES} Until then this server stores no files.`);
      return;
    }
    if (!(error instanceof StorageAway)) throw error;
    log.warn(`${error.message} The server starts without it, and tries again with each file.`);
  }
}

/** The HTTP server over a running core. It does not listen yet. Commands never load what only it needs. */
export async function createServer(
  services: Services,
  { peers, stats, certificate }: Pick<HttpOptions, "peers" | "stats" | "certificate"> = {},
): Promise<FastifyInstance> {
  const { bus, config, organizations, keyring, health, log } = services;
  const [{ createHttp }, { mcpServer }, { resumableUploads }] = await Promise.all([
    import("./platform/http/app.ts"),
    import("./integrations/mcp/server.ts"),
    import("./content/uploads/partial/partial-uploads.ts"),
  ]);
  const routes = routesOfModules(services);
  const lastUses = new LastUseWriter(report(log));
  return createHttp({
    certificate,
    routes: [...routes, ...redirectsOfModules],
    fileRoutes: fileRoutesOfModules(services),
    mcp: mcpServer(routes),
    resumableUploads: resumableUploads(services),
    stateOf: (host) => organizations.byHost(host),
    authenticate: (state, email, apiKey, client) => authenticate(state, keyring, email, apiKey, client),
    authenticateKey: (state, apiKey, client) => authenticateKey(state, keyring, apiKey, client),
    authenticateSession(state, token, client, address) {
      const viewer = authenticateBrowser(state, keyring, token, client);
      lastUses.note(viewer, address);
      return viewer;
    },
    noteWrongKey: (state, address) => noteFailure(state, { reason: "key", address }),
    authVersion: authenticationVersion,
    catchUp: (state, isDoubted) => (bus.isAlone && !isDoubted ? undefined : state.catchUp()),
    canSpectate: (state) =>
      config.webPublicStreams && settingOf(state, organizationSettings.enableSpectatorAccess),
    isDeactivated: (state) => !state.get(organization).isActive,
    // Callers come from the functions above, which make viewers.
    callerOf: (caller, call) => viewerOfCall(caller as Viewer, call),
    checkProof: (caller, asked, shown) => checkProof(services, caller as Viewer, asked, shown),
    rateLimits: config.hasRateLimits
      ? config.isDevelopment
        ? DEVELOPMENT_RATE_LIMITS
        : defaultRateLimits
      : undefined,
    peers,
    stats,
    publicUrl: config.publicUrl,
    files: services.files,
    trustedProxies: config.trustedProxies,
    logRequests: config.logRequests,
    isDevelopment: config.isDevelopment,
    log,
    whyNotReady: () => whyNotReady(health),
    keyring,
    pages: pagesOfModules(services),
    pageVisitors: {
      find: (place, request) => findRequester(services, place, request, { isForSecondStepSetup: true }),
      signInPath: LOGIN_PATH,
    },
  });
}

/**
 * The modules over a migrated database, without timers. Tests use it too. `place` identifies the files of
 * the embedded database. `databaseOptions`: for tests.
 */
export async function openServices(
  config: Config,
  log: Logger,
  connection: Connection,
  place?: string,
  databaseOptions: DatabaseOptions = {},
): Promise<Services> {
  const warning = closeSecretFile(config);
  if (warning !== undefined) log.warn(warning);
  const keyring = new Keyring(readSecret(config));
  const database = await Database.open(connection, { onSlow: slowStatements(log), ...databaseOptions });
  const isOfCopy = isCopy(config.dataDir);
  const files = isOfCopy ? openFilesOfCopy(config) : openFileStorage(config);
  try {
    await keepSecretCheck(database, keyring, config);
    const mark = await keepFilesMark(database, namesFiles);
    // Databases of tries come and go, and their files lie wherever the last try had them. So no place gets
    // the first mark of such a database by itself. One that has it must be there as elsewhere.
    const isOfTries = config.isDevelopment && config.databaseUrl !== undefined;
    if (!(isOfTries && mark.first)) files.expectMark(mark);
  } catch (error) {
    await database.close();
    throw error;
  }
  await database.transaction((tx) => renewEpochIfRestored(tx, place));
  await Promise.all([keepEventPartitions(database), prepareJobs(database)]);
  const bus = await openBus(config.natsUrl, database, log);
  const dispatcher = dispatcherOfModules({
    keyring,
    siteOf: (state) => knownSite(config, state, organizations.isPrimary(state)),
  });
  const organizations: Organizations = new Organizations(
    database,
    logPartsOfModules(bus, keyring, dispatcher, report(log)),
    publicHost(config),
  );
  const mailer = isOfCopy ? mailerOfCopy : openMailer(config);
  const health = new Health(partsOf({ config, database, files, canSendMail: mailer.canSend }), log);
  const outbound = new OutboundHttp({ allowed: config.outgoingAllow, ownPorts: ownPortsOf(config) });
  const queues = new Queues(database, () => organizations.loaded.values(), dispatcher, report(log));
  return {
    config,
    database,
    bus,
    organizations,
    queues,
    keyring,
    files,
    mailer,
    outbound,
    health,
    log,
  };
}

/** No line has a whole error, wherever it is logged. Errors of the database hold values of rows. */
export function createLog(config: Pick<Config, "logLevel">, to: DestinationStream = standardError()): Logger {
  return pino({ level: config.logLevel, serializers: { err: errorField } }, to);
}

/** A server outlives its log: a full disk or a reader that hangs costs lines, and nothing else. */
function standardError(): LineWriter {
  let lines: string[] = [];
  const log = pino({}, { write: (line) => void lines.push(line) });
  return new LineWriter({
    write: openOutput(2),
    lossLine(count, code) {
      lines = [];
      log.warn({ count, code }, "lines of the log were lost, since they could not be written");
      return lines.join("");
    },
  });
}

function report(log: Logger): (error: unknown) => void {
  return (error) => {
    const shortage = shortageOf(error);
    // The health part says more, once. A stack for each try would fill the disk again that has just got room.
    log.error(shortage === undefined ? { err: error } : { shortage }, "a background task failed");
  };
}

function publicHost(config: Config): string | undefined {
  return config.publicUrl === undefined ? undefined : new URL(config.publicUrl).hostname;
}
