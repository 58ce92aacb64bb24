import type { Socket } from "node:net";
import { Server as TlsServer } from "node:tls";
import type { FastifyInstance } from "fastify";
import type { InFlight } from "./in-flight.ts";

/** How long calls may take to finish once the server stops. */
const CALLS_MS = 3000;
/** How long clients may then take to read their last responses. */
const SOCKETS_MS = 500;
const SWEEP_MS = 25;

/**
 * Makes `app.close()` quick and graceful. Held polls are answered with what they have, usually no events, and
 * new polls are answered in the same way at once. To clients, a stop is no failure. Calls under way are
 * finished, and each connection is closed after the response that it waits for.
 *
 * Browsers open some connections in advance. Node counts an unused connection neither as idle nor as
 * finished, so the sweep closes such connections after a while. It does not count those at all whose TLS
 * handshake has not ended, so they are kept here.
 */
export function gracefulStop(app: FastifyInstance, inFlight: InFlight): void {
  const sockets = new Set<Socket>();
  if (app.server instanceof TlsServer) {
    app.server.on("connection", (socket: Socket) => {
      sockets.add(socket);
      socket.once("close", () => sockets.delete(socket));
    });
  }
  app.addHook("preClose", (done) => {
    inFlight.isStopping = true;
    for (const held of inFlight.longPolls) held.release();
    sweep(app, inFlight, sockets);
    done();
  });
}

function sweep(app: FastifyInstance, inFlight: InFlight, sockets: ReadonlySet<Socket>): void {
  const { server } = app;
  const startedAt = Date.now();
  let quietAt: number | undefined;
  const timer = setInterval(() => {
    const now = Date.now();
    server.closeIdleConnections();
    if (inFlight.calls > 0 && now - startedAt < CALLS_MS) return;
    quietAt ??= now;
    if (now - quietAt < SOCKETS_MS) return;
    server.closeAllConnections();
    for (const socket of sockets) socket.destroy();
    clearInterval(timer);
  }, SWEEP_MS);
  timer.unref();
  server.once("close", () => clearInterval(timer));
}
