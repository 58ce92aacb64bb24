import type { FastifyInstance } from "fastify";
import type { InFlight } from "./in-flight.ts";

/** How long calls may take to finish once the server stops. */
const CALLS_MS = 3000;
/** How long connections may then take to read their last answers. */
const SOCKETS_MS = 500;
const SWEEP_MS = 25;

/**
 * Makes `app.close()` quick and kind: nothing new is held, what is held is told to come back, calls under way are
 * finished, and every connection ends with the answer it waits for. Connections that only lie about (a browser opens some
 * in advance) do not delay it: Node counts them neither as idle nor as finished.
 */
export function gracefulStop(app: FastifyInstance, inFlight: InFlight): void {
  app.addHook("preClose", (done) => {
    inFlight.isStopping = true;
    for (const held of [...inFlight.longPolls]) held.release();
    sweep(app, inFlight);
    done();
  });
}

function sweep(app: FastifyInstance, inFlight: InFlight): void {
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
    clearInterval(timer);
  }, SWEEP_MS);
  timer.unref();
  server.once("close", () => clearInterval(timer));
}
