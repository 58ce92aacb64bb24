import { EventEmitter } from "node:events";
import type { ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { FastifyInstance } from "fastify";
import { afterEach, beforeEach, expect, test } from "vitest";
import { RawClient } from "../../../test/harness/raw-client.ts";
import { authorization, LONG_WINDOW_SECONDS, type Toys, toys } from "../../../test/harness/toy-api.ts";
import { createHttp, listen } from "./app.ts";
import { InFlight } from "./in-flight.ts";
import { LongPoll } from "./long-poll.ts";

let all: Toys;
let app: FastifyInstance;
let port: number;

beforeEach(async () => {
  all = toys({ rateLimits: { windowSeconds: LONG_WINDOW_SECONDS, perUser: 1000, perAddress: 1000 } });
  app = await createHttp(all.options);
  await listen(app, "127.0.0.1", 0);
  port = (app.server.address() as AddressInfo).port;
});

afterEach(() => app.close());

const request = (path: string) =>
  `GET /api/v1${path} HTTP/1.1\r\nHost: toy.test\r\nAuthorization: ${authorization("mia")}\r\n\r\n`;

async function poll(): Promise<{ client: RawClient; waiting: Toys["polls"][0] }> {
  const before = all.polls.length;
  const client = new RawClient(port).send(request("/poll"));
  await expect.poll(() => all.polls.length).toBeGreaterThan(before);
  return { client, waiting: all.polls[before] as Toys["polls"][0] };
}

test("a held response is written when the handler sends it, whole and with the usual headers", async () => {
  const { client, waiting } = await poll();
  expect(client.received).toBe("");
  waiting.held.send('{"result":"success","msg":"","events":[]}');
  await client.until(() => client.received.endsWith("}\n"));
  expect(client.status).toBe(200);
  expect(client.json).toEqual({ result: "success", msg: "", events: [] });
  expect(client.received).toContain("Content-Length: 42\r\n");
  expect(client.received).toContain("X-RateLimit-Remaining: 999\r\n");
  client.socket.destroy();
});

test("a second response to one poll is not written", async () => {
  const { client, waiting } = await poll();
  waiting.held.send('{"first":1}');
  waiting.held.send('{"second":2}');
  client.send(request("/user"));
  await client.until(() => client.received.includes('"user":3'));
  expect(client.received).toContain("first");
  expect(client.received).not.toContain("second");
  client.socket.destroy();
});

test("the handler is notified once when the client disconnects", async () => {
  const { client, waiting } = await poll();
  client.socket.destroy();
  await expect.poll(() => waiting.isClosed).toBe(true);
  waiting.isClosed = false;
  waiting.held.send("{}");
  let isLate = false;
  waiting.held.onEnd(() => {
    isLate = true;
  });
  expect([waiting.isClosed, isLate]).toEqual([false, true]);
});

test("the handler is not notified when the connection closes after the response", async () => {
  const { client, waiting } = await poll();
  waiting.held.send("{}");
  await client.until(() => client.received.endsWith("{}\n"));
  client.socket.destroy();
  const other = await poll();
  other.client.socket.destroy();
  await expect.poll(() => other.waiting.isClosed).toBe(true);
  expect(waiting.isClosed).toBe(false);
});

test("an error before the response is answered like any other", async () => {
  const client = new RawClient(port).send(request("/poll?queue_id=gone"));
  await client.until(() => client.received.endsWith("}\n"));
  expect(client.status).toBe(400);
  expect(client.json).toMatchObject({ code: "BAD_EVENT_QUEUE_ID", queue_id: "gone" });
  client.socket.destroy();
});

test("polls of one user on many connections are held at the same time", async () => {
  const clients = Array.from({ length: 50 }, () => new RawClient(port).send(request("/poll")));
  await expect.poll(() => all.polls.length).toBe(clients.length);
  for (const { held } of all.polls) held.send("{}");
  for (const client of clients) {
    await client.until(() => client.received.endsWith("{}\n"));
    client.socket.destroy();
  }
});

test("an answered poll is not among those in flight", () => {
  const inFlight = new InFlight();
  const head = () => ({ requestId: "1", rate: undefined, isLast: false });
  const polls = Array.from({ length: 100 }, () => {
    const response = Object.assign(new EventEmitter(), { destroyed: true });
    return new LongPoll(response as unknown as ServerResponse, head(), inFlight);
  });
  for (const each of polls.slice(0, 60)) each.send("{}");
  expect([...inFlight.longPolls]).toEqual(expect.arrayContaining(polls.slice(60)));
  expect(inFlight.longPolls.size).toBe(40);
});
