import type { Logger } from "pino";
import type { Config } from "../config.ts";
import { type ConnectionLimit, limitConnections } from "../platform/http/connection-limit.ts";
import { startTls } from "../platform/tls/start-tls.ts";

/** Each is for one answer. */
const LIMIT: ConnectionLimit = { perAddress: 100, countsLoopback: false };

/** What a server with https does beside it, once for all of its processes. Returns how to stop that. */
export function startBesideHttps(config: Config, log: Logger): Promise<() => Promise<void>> {
  return startTls(config, log, (server) => limitConnections(server, log, undefined, LIMIT));
}
