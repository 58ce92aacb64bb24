import { fileURLToPath } from "node:url";
import { createLog, openServices, prepareFiles } from "../app.ts";
import type { Config } from "../config.ts";
import { startArchivedDatabase } from "../platform/backup/start-archive.ts";
import { addressOf } from "./address.ts";
import { announceLines, logStart } from "./announce-lines.ts";
import { refusePassedSocket } from "./passed-socket.ts";
import { startBesideHttps } from "./plain-http.ts";
import { reloadOnHangup } from "./reload.ts";
import { openServiceManager } from "./service-manager.ts";
import { Shutdown } from "./shutdown.ts";
import type { ServerHooks } from "./single.ts";
import type { WorkerStart } from "./worker.ts";
import { WorkerPool } from "./worker-pool.ts";

/** The most connections to the database that a worker opens, with some to spare for commands. */
const CONNECTIONS_EACH = 31;

/**
 * Like runServer, but several worker processes serve the port. This process starts the database and
 * supervises the workers; it serves no requests itself.
 */
export async function runWorkers(
  config: Config,
  count: number,
  { prepare, announce }: ServerHooks,
): Promise<number> {
  const log = createLog(config);
  const shutdown = new Shutdown(log);
  let pool: WorkerPool<WorkerStart> | undefined;
  const manager = openServiceManager(shutdown, log);
  refusePassedSocket(manager.settings, "A server with --workers");
  const { watchdogMs } = manager.settings;
  manager.startWatchdog(() => watchdogMs === undefined || (pool?.haveTurned(watchdogMs / 2) ?? true));
  reloadOnHangup(config, log, manager, (signIn) => pool?.tell({ signIn }));
  const settings = { max_connections: String((count + 2) * CONNECTIONS_EACH) };
  const database = await startArchivedDatabase(config, settings, log);
  database.ended.then((sentence) => shutdown.fail(undefined, sentence));
  shutdown.onStop(() => database.stop());
  try {
    const { connection } = database;
    const workers = new WorkerPool<WorkerStart>({
      count,
      file: fileURLToPath(new URL("./worker.js", import.meta.url)),
      start: { config, connection },
      turnMs: watchdogMs === undefined ? undefined : watchdogMs / 8,
      port: config.port,
      log,
    });
    pool = workers;
    const services = await openServices(config, log, connection, database.place);
    try {
      // A worker's refusal would come without its kind.
      await prepareFiles(services);
      await prepare?.(services);
      shutdown.onStop(() => workers.stop());
      const port = await Promise.race([workers.start(), shutdown.begun.then(() => undefined)]);
      if (port !== undefined) {
        shutdown.onStop(await startBesideHttps(config, log));
        const url = addressOf(config, port);
        const lines = [...(await announce(services, url))];
        if (config.metrics) {
          const { serveMetrics } = await import("./metrics-listener.ts");
          const { WorkerMetrics } = await import("./worker-metrics.ts");
          const metrics = new WorkerMetrics();
          const listener = await serveMetrics(config.metrics, () => metrics.gather(), log);
          shutdown.onStop(() => listener.close());
          lines.push(`  metrics   ${listener.url}`);
        }
        lines.push(`listening on ${url}`);
        announceLines(lines);
        logStart(log, config, url);
        manager.ready(`Serving ${url} with ${count} workers`);
      }
    } finally {
      // From now on only the workers use the database.
      await services.database.close();
    }
    return await shutdown.begun;
  } finally {
    await shutdown.stopAll();
    shutdown.logEnd();
  }
}
