/**
 * Serves metrics on a listener of their own, so that nobody reaches them by the public address. It asks for
 * no credentials. It is loaded only if the setting names an address.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Logger } from "pino";
import { contentType, writeText } from "../platform/metrics/exposition.ts";
import type { Reading } from "../platform/metrics/reading.ts";
import { addressOf } from "./address.ts";

/** Prometheus uses one or two. */
const MAX_CONNECTIONS = 32;
const TIMEOUT_MS = 10_000;

export interface MetricsListener {
  /** Where the metrics are, as a URL. */
  url: string;
  close(): Promise<void>;
}

/** `gather` reads what the processes of the server measure. Callers at one time share a reading. */
export async function serveMetrics(
  { host, port }: { host: string; port: number },
  gather: () => Promise<readonly (readonly Reading[])[]>,
  log: Logger,
): Promise<MetricsListener> {
  let reading: Promise<string> | undefined;
  const read = () => {
    reading ??= gather()
      .then(writeText)
      .finally(() => {
        reading = undefined;
      });
    return reading;
  };
  const server = createServer((request, response) => {
    answer(request, response, read).catch((error) => {
      log.error({ err: error }, "the metrics can't be read");
      refuse(response, 500);
    });
  });
  server.maxConnections = MAX_CONNECTIONS;
  server.headersTimeout = TIMEOUT_MS;
  server.requestTimeout = TIMEOUT_MS;
  await listen(server, host, port);
  return {
    url: `${addressOf({ host, tls: undefined }, (server.address() as AddressInfo).port)}/metrics`,
    close: () => close(server),
  };
}

async function answer(
  { url = "", method }: IncomingMessage,
  response: ServerResponse,
  read: () => Promise<string>,
): Promise<void> {
  if (url.split("?", 1)[0] !== "/metrics") return refuse(response, 404);
  if (method !== "GET") return refuse(response, 405, { Allow: "GET" });
  const text = await read();
  response.writeHead(200, { "Content-Type": contentType, "Cache-Control": "no-store" });
  response.end(text);
}

/** Whether the request has a body does not matter: the connection ends. */
function refuse(response: ServerResponse, status: number, headers: Record<string, string> = {}): void {
  response.writeHead(status, { "Content-Type": "text/plain", Connection: "close", ...headers });
  response.end(`${status}\n`);
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.on("error", (error) => reject(Object.assign(error, { setting: "PARLEY_METRICS" })));
    server.listen({ host, port }, resolve);
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
