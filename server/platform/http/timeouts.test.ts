import type { AddressInfo } from "node:net";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";
import { RawClient } from "../../../test/harness/raw-client.ts";
import { authorization, type Toys, toys } from "../../../test/harness/toy-api.ts";
import { createHttp, listen } from "./app.ts";

const timeouts = { headMs: 150, requestMs: 600, checkMs: 25, keepAliveMs: 300, silenceMs: 400 };
const HEAD = `POST /api/v1/toys HTTP/1.1\r\nHost: toy.test\r\nAuthorization: ${authorization("mia")}\r\n`;

let all: Toys;
let app: FastifyInstance;
let port: number;

beforeAll(async () => {
  all = toys({ timeouts });
  app = await createHttp(all.options);
  await listen(app, "127.0.0.1", 0);
  port = (app.server.address() as AddressInfo).port;
});

afterAll(() => app.close());

test.each([
  ["nothing", ""],
  ["half a request line", "GET /api/v1/any"],
  ["half a head", `${HEAD}X-Half: `],
])("a connection on which only %s arrives is closed", async (_, bytes) => {
  const client = new RawClient(port);
  if (bytes !== "") client.send(bytes);
  await client.closed();
  expect(client.status).toBe(408);
});

test("a connection on which a body arrives byte by byte is closed", async () => {
  const client = new RawClient(port).send(`${HEAD}Content-Length: 1000\r\n\r\n`);
  const dribble = setInterval(() => client.send("x"), 20);
  await client.closed();
  clearInterval(dribble);
  expect(client.status).toBe(408);
});

test("a connection on which a body stops arriving is closed", async () => {
  const client = await new RawClient(port).send(`${HEAD}Content-Length: 1000\r\n\r\nx`).closed();
  expect(client.received).toBe("");
});

test("a connection without further requests is closed", async () => {
  const client = new RawClient(port).send("GET /api/v1/anyone HTTP/1.1\r\nHost: toy.test\r\n\r\n");
  await client.closed();
  expect(client.status).toBe(200);
});

test("the connection of a client that never reads its response is closed, and the response dropped", async () => {
  const client = new RawClient(port).send(
    `GET /api/v1/poll HTTP/1.1\r\nHost: toy.test\r\nAuthorization: ${authorization("mia")}\r\n\r\n`,
  );
  await expect.poll(() => all.polls).toHaveLength(1);
  const open = () =>
    new Promise<number>((resolve) => app.server.getConnections((_, count) => resolve(count)));
  await expect.poll(open).toBe(1);
  client.socket.pause();
  // More than the kernel buffers for both ends.
  all.polls[0]?.held.send(`"${"x".repeat(64 * 1024 * 1024)}"`);
  await expect.poll(open).toBe(0);
  client.socket.destroy();
});
