import { EventEmitter } from "node:events";
import { type AddressInfo, connect, type Server, type Socket } from "node:net";
import type { FastifyInstance } from "fastify";
import pino from "pino";
import { afterEach, expect, test } from "vitest";
import { toys } from "../../../test/harness/toy-api.ts";
import { createHttp, type HttpOptions, listen } from "./app.ts";
import { limitConnections } from "./connection-limit.ts";

let app: FastifyInstance;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await app?.close();
});

const REQUEST = "GET /api/v1/anyone HTTP/1.1\r\nHost: toy.test\r\n\r\n";

async function start(change: Partial<HttpOptions>): Promise<{ lines: string[]; port: number }> {
  const lines: string[] = [];
  const log = pino({ level: "warn" }, { write: (line) => void lines.push(line) });
  app = await createHttp({ ...toys().options, log, ...change });
  await listen(app, "127.0.0.1", 0);
  return { lines, port: (app.server.address() as AddressInfo).port };
}

/** Sends a request from an address. Returns the first line of the response; empty if the server closed. */
function ask(port: number, localAddress = "127.0.0.1"): Promise<string> {
  const socket = connect({ port, host: "127.0.0.1", localAddress });
  sockets.push(socket);
  socket.write(REQUEST);
  return new Promise((resolve) => {
    socket.once("data", (bytes) => resolve(bytes.toString().split("\r\n", 1)[0] as string));
    socket.once("error", () => resolve(""));
    socket.once("close", () => resolve(""));
  });
}

const OK = "HTTP/1.1 200 OK";
const connectionLimit = { perAddress: 3, countsLoopback: true };

async function askTimes(times: number, port: number, localAddress?: string): Promise<string[]> {
  const answers: string[] = [];
  for (let each = 0; each < times; each++) answers.push(await ask(port, localAddress));
  return answers;
}

test("connections of one address past the limit are closed, and others are served", async () => {
  const { lines, port } = await start({ connectionLimit });
  expect(await askTimes(6, port)).toEqual([OK, OK, OK, "", "", ""]);
  expect(await ask(port, "127.0.0.2")).toBe(OK);
  // One line for all of them.
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { network: "127.0.0.1", limit: 3, refused: 1, msg: "an address has too many connections" },
  ]);
  sockets[0]?.destroy();
  await expect.poll(() => ask(port)).toBe(OK);
});

test("a closed connection costs no parser", async () => {
  const { port } = await start({ connectionLimit });
  const clients: unknown[] = [];
  app.server.on("clientError", (error) => clients.push(error));
  await askTimes(3, port);
  const open = () => new Promise<number>((resolve) => app.server.getConnections((_, n) => resolve(n)));
  for (let each = 0; each < 50; each++) expect(await ask(port)).toBe("");
  await expect.poll(open).toBe(3);
  expect(clients).toEqual([]);
});

test("a trusted proxy has no limit, and another address has", async () => {
  const { port } = await start({ connectionLimit, trustedProxies: ["127.0.0.1"] });
  expect(await askTimes(6, port)).toEqual(Array(6).fill(OK));
  expect(await askTimes(4, port, "127.0.0.2")).toEqual([OK, OK, OK, ""]);
});

test("the machine's own addresses have no limit by default", async () => {
  const { port } = await start({ connectionLimit: { ...connectionLimit, countsLoopback: false } });
  expect(await askTimes(6, port)).toEqual(Array(6).fill(OK));
});

test("an IPv6 network is one address, since its owner has all of it", () => {
  const server = new EventEmitter();
  const served: string[] = [];
  server.on("connection", ({ remoteAddress }: Socket) => served.push(remoteAddress ?? ""));
  limitConnections(server as Server, pino({ level: "silent" }), undefined, connectionLimit);
  const arrive = (remoteAddress: string) => {
    const socket = Object.assign(new EventEmitter(), { remoteAddress, destroy: () => {} });
    server.emit("connection", socket);
    return socket;
  };
  const first = arrive("2001:db8:0:1::1");
  for (let host = 2; host < 6; host++) arrive(`2001:db8:0:1::${host}`);
  arrive("2001:db8:0:2::1");
  first.emit("close");
  arrive("2001:db8:0:1::6");
  expect(served).toEqual([
    ...[1, 2, 3].map((host) => `2001:db8:0:1::${host}`),
    "2001:db8:0:2::1",
    "2001:db8:0:1::6",
  ]);
});
