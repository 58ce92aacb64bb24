import type { AddressInfo, Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { RawClient } from "../../../test/harness/raw-client.ts";
import { authorization, toys } from "../../../test/harness/toy-api.ts";
import { createHttp, type HttpOptions, listen } from "./app.ts";

const FORM = "Content-Type: application/x-www-form-urlencoded\r\n";
const HEAD = `POST /api/v1/toys HTTP/1.1\r\nHost: toy.test\r\nAuthorization: ${authorization("mia")}\r\n${FORM}`;
const kilobytes = (count: number) => "x".repeat(count * 1024);

interface Started {
  connect(): RawClient;
  /** Resolves when the server has read this many bytes more on all connections. */
  reads(bytes: number): Promise<void>;
}

async function start(change: Partial<HttpOptions>): Promise<Started> {
  const app = await createHttp(toys(change).options);
  const sockets: Socket[] = [];
  app.server.on("connection", (socket: Socket) => sockets.push(socket));
  await listen(app, "127.0.0.1", 0);
  const clients: RawClient[] = [];
  onTestFinished(async () => {
    for (const { socket } of clients) socket.destroy();
    await app.close();
  });
  const read = () => sockets.reduce((sum, { bytesRead }) => sum + bytesRead, 0);
  let last = 0;
  return {
    connect() {
      const client = new RawClient((app.server.address() as AddressInfo).port);
      clients.push(client);
      return client;
    },
    async reads(bytes) {
      await expect.poll(() => read() - last).toBeGreaterThanOrEqual(bytes);
      last = read();
    },
  };
}

const answered = (client: RawClient) => client.until(() => client.received.endsWith("}\n"));

/** A body of which the last byte does not come. */
const unfinished = (length: number) =>
  `${HEAD}Content-Length: ${length * 1024 + 1}\r\n\r\n${kilobytes(length)}`;
const chunked = (piece: string, count: number) =>
  `${HEAD}Transfer-Encoding: chunked\r\n\r\n${`${piece.length.toString(16)}\r\n${piece}\r\n`.repeat(count)}`;

test.each([
  ["one address", { perNetwork: 1024 * 1024 }, 429, "RATE_LIMIT_HIT"],
  ["all connections", { total: 1024 * 1024 }, 503, "SERVER_NOT_READY"],
])("unfinished bodies of %s take a bounded amount of memory", async (_, bodyLimits, status, code) => {
  const { connect, reads } = await start({ bodyLimits });
  const waiting = Array.from({ length: 4 }, () => connect().send(unfinished(200)));
  await reads(4 * 200 * 1024);
  const refused = await answered(connect().send(unfinished(300)));
  expect([refused.status, refused.json.code]).toEqual([status, code]);
  expect(refused.received).toContain("\r\nRetry-After: 1\r\n");
  expect(waiting.map((client) => client.received)).toEqual(["", "", "", ""]);
  // The memory of those who leave, and of those who finish, is free again.
  for (const client of waiting.slice(0, 2)) client.socket.destroy();
  for (const client of waiting.slice(2)) expect((await answered(client.send("x"))).status).toBe(400);
  const later = connect().send(unfinished(900));
  await reads(900 * 1024);
  expect((await answered(later.send("x"))).status).toBe(400);
});

test("a body in very small pieces is refused", async () => {
  const { connect } = await start({});
  const client = await answered(connect().send(chunked("x", 20_000)));
  expect(client.status).toBe(413);
});

test("a body that arrives too slowly is given up, however much of it came before", async () => {
  const bodyLimits = { periodMs: 1000, bytesPerPeriod: 1000 };
  const { connect } = await start({ bodyLimits });
  const stalled = connect().send(unfinished(500));
  const dripping = connect().send(`${HEAD}Content-Length: 20000\r\n\r\n`);
  const steady = connect().send(`${HEAD}Content-Length: 1000000\r\n\r\n`);
  const slow = setInterval(() => dripping.send("x"), 20);
  const fast = setInterval(() => steady.send(kilobytes(4)), 20);
  onTestFinished(() => {
    clearInterval(slow);
    clearInterval(fast);
  });
  await Promise.all([stalled, dripping].map(answered));
  expect([stalled.status, dripping.status, steady.received]).toEqual([408, 408, ""]);
});
