import type { Server, Socket } from "node:net";
import type { Logger } from "pino";
import { networkOf } from "./rate-limit.ts";
import type { TrustedProxies } from "./trusted-proxies.ts";

export interface ConnectionLimit {
  /** Open connections of one address. An IPv6 network is one address. */
  perAddress: number;
  /**
   * Whether it holds for the machine's own addresses too. Not by default: a proxy on the same machine needs
   * no setting, and brings everybody's connections.
   */
  countsLoopback: boolean;
}

/** An office of hundreds of people has one address, and a browser opens six connections. */
export const defaultConnectionLimit: ConnectionLimit = { perAddress: 1000, countsLoopback: false };

const LOG_MS = 60_000;
const LOOPBACK = /^(?:127\.|::1$|::ffff:127\.)/i;

/**
 * Closes connections of an address that has too many, before anything is made for them: the server's own
 * listener, which makes a parser and timers, is called for the others alone. Connections of a trusted proxy
 * are the clients' of others, and those of a local socket have no address.
 */
export function limitConnections(
  server: Server,
  log: Pick<Logger, "warn">,
  proxies: TrustedProxies | undefined,
  limit: ConnectionLimit = defaultConnectionLimit,
): void {
  const open = new Map<string, number>();
  const serve = server.listeners("connection") as ((socket: Socket) => void)[];
  let refused = 0;
  let loggedAt = Number.NEGATIVE_INFINITY;
  const refuse = (socket: Socket, network: string): void => {
    socket.destroy();
    refused++;
    const now = performance.now();
    if (now - loggedAt < LOG_MS) return;
    log.warn({ network, refused, limit: limit.perAddress }, "an address has too many connections");
    loggedAt = now;
    refused = 0;
  };
  server.removeAllListeners("connection");
  server.on("connection", (socket: Socket) => {
    const address = socket.remoteAddress;
    if (address !== undefined && !isExempt(address, proxies, limit)) {
      const network = networkOf(address);
      const count = open.get(network) ?? 0;
      if (count >= limit.perAddress) return refuse(socket, network);
      open.set(network, count + 1);
      socket.once("close", () => release(open, network));
    }
    for (const listener of serve) listener.call(server, socket);
  });
}

function isExempt(
  address: string,
  proxies: TrustedProxies | undefined,
  { countsLoopback }: ConnectionLimit,
): boolean {
  return (!countsLoopback && LOOPBACK.test(address)) || proxies?.includes(address) === true;
}

function release(open: Map<string, number>, network: string): void {
  const count = (open.get(network) ?? 0) - 1;
  if (count > 0) open.set(network, count);
  else open.delete(network);
}
