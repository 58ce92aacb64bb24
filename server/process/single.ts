import type { AddressInfo } from "node:net";
import { createLog, createServer, startCore } from "../app.ts";
import type { Config } from "../config.ts";
import { listen } from "../platform/http/app.ts";
import { HttpStats } from "../platform/http/http-stats.ts";
import { openCertificate } from "../platform/tls/start-tls.ts";
import type { Services } from "../services.ts";
import { addressOf } from "./address.ts";
import { announceLines, logStart } from "./announce-lines.ts";
import { letHeapGrow } from "./gc-tuning.ts";
import { checkPassedSocket, hostOfPassed, refusePassedSocket } from "./passed-socket.ts";
import { startBesideHttps } from "./plain-http.ts";
import { reloadOnHangup } from "./reload.ts";
import { openServiceManager } from "./service-manager.ts";
import { Shutdown } from "./shutdown.ts";

export interface ServerHooks {
  /** Runs before clients can connect. */
  prepare?(services: Services): Promise<void>;
  /** Returns the lines to print above "listening on …". */
  announce(services: Services, url: string): Promise<string[]>;
}

/**
 * Runs a server until a signal or a failure ends it, and resolves with the exit code. Rejects if the server
 * can't start. In both cases nothing is left running.
 */
export async function runServer(config: Config, { prepare, announce }: ServerHooks): Promise<number> {
  const log = createLog(config);
  const shutdown = new Shutdown(log);
  const manager = openServiceManager(shutdown, log);
  if (config.isDevelopment) refusePassedSocket(manager.settings, "Development mode");
  checkPassedSocket(manager.settings);
  reloadOnHangup(config, log, manager);
  manager.startWatchdog();
  const core = await startCore(config, log);
  core.databaseEnded.then((sentence) => shutdown.fail(undefined, sentence));
  shutdown.onStop(() => core.stop());
  try {
    await prepare?.(core.services);
    const stats = new HttpStats();
    const certificate = openCertificate(config, log);
    const app = await createServer(core.services, { stats, certificate });
    shutdown.onStop(() => app.close());
    const { listener } = manager.settings;
    await listen(app, config.host, config.port, listener);
    const address = app.server.address() as AddressInfo;
    const host = listener === undefined ? config.host : hostOfPassed(address, config, log);
    shutdown.onStop(await startBesideHttps(config, log));
    const url = addressOf({ ...config, host }, address.port);
    const lines = [...(await announce(core.services, url))];
    if (config.metrics) {
      const { serveMetrics } = await import("./metrics-listener.ts");
      const { NodeMetrics } = await import("./node-metrics.ts");
      const metrics = new NodeMetrics(core, stats);
      const listener = await serveMetrics(config.metrics, async () => [await metrics.read()], log);
      shutdown.onStop(() => listener.close());
      lines.push(`  metrics   ${listener.url}`);
    }
    lines.push(`listening on ${url}`);
    announceLines(lines);
    logStart(log, config, url);
    manager.ready(`Serving ${url}`);
    await core.startJobs();
    letHeapGrow(log);
    return await shutdown.begun;
  } finally {
    await shutdown.stopAll();
    shutdown.logEnd();
  }
}
