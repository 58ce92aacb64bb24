import type { AddressInfo } from "node:net";
import type { FastifyInstance } from "fastify";
import { afterEach, beforeEach, expect, test } from "vitest";
import { RawClient } from "../../../test/harness/raw-client.ts";
import { authorization, type Toys, toys } from "../../../test/harness/toy-api.ts";
import { createHttp, listen } from "./app.ts";

let all: Toys;
let app: FastifyInstance;
let client: RawClient;

beforeEach(async () => {
  all = toys();
  app = await createHttp(all.options);
  await listen(app, "127.0.0.1", 0);
  client = new RawClient((app.server.address() as AddressInfo).port);
});

afterEach(async () => {
  client.socket.destroy();
  await app.close();
});

const get = (path: string) =>
  `GET /api/v1${path} HTTP/1.1\r\nHost: toy.test\r\nAuthorization: ${authorization("mia")}\r\n\r\n`;
const answers = () => client.received.split("HTTP/1.1 200").length - 1;

test("pipelined calls are answered one after another, in their order", async () => {
  client.send(Array.from({ length: 20 }, (_, id) => get(`/toys/${id}`)).join(""));
  await client.until(() => answers() === 20 && client.received.endsWith("}\n"));
  const ids = [...client.received.matchAll(/"toyId":(\d+)/g)].map(([, id]) => Number(id));
  expect(ids).toEqual(Array.from({ length: 20 }, (_, id) => id));
});

test("a pipelined call starts when the previous response has been taken, and not before", async () => {
  client.send(get("/poll") + get("/poll") + get("/anyone"));
  await expect.poll(() => all.polls).toHaveLength(1);
  all.polls[0]?.held.send("{}");
  await expect.poll(() => all.polls).toHaveLength(2);
  expect(answers()).toBe(1);
  all.polls[1]?.held.send("{}");
  await client.until(() => answers() === 3);
});

test("while a client does not read its response, its next call does not start", async () => {
  client.send(get("/poll") + get("/poll"));
  await expect.poll(() => all.polls).toHaveLength(1);
  client.socket.pause();
  // More than the kernel buffers for both ends.
  all.polls[0]?.held.send(`"${"x".repeat(32 * 1024 * 1024)}"`);
  // When a later connection has been served, the second poll would have started.
  const other = new RawClient((app.server.address() as AddressInfo).port).send(get("/anyone"));
  await other.until(() => other.received.endsWith("}\n"));
  other.socket.destroy();
  expect(all.polls).toHaveLength(1);
  client.socket.resume();
  await expect.poll(() => all.polls).toHaveLength(2);
});

test("a connection with too many waiting calls is closed", async () => {
  client.send(get("/poll").repeat(1000));
  await client.closed();
  expect(all.polls.length).toBeLessThanOrEqual(1);
  await expect.poll(() => all.polls.every(({ isClosed }) => isClosed)).toBe(true);
});
