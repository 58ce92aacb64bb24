import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, connect, type Socket } from "node:net";
import os from "node:os";
import path from "node:path";
import acme from "acme-client";
import pino from "pino";
import { expect, onTestFinished, test } from "vitest";
import { RawClient } from "../../../test/harness/raw-client.ts";
import { authorization, toys } from "../../../test/harness/toy-api.ts";
import { ServedCertificate } from "../tls/served-certificate.ts";
import { createHttp, type HttpOptions, listen } from "./app.ts";

async function harness(change: Partial<HttpOptions> = {}) {
  const all = toys(change);
  const app = await createHttp(all.options);
  await listen(app, "127.0.0.1", 0);
  return { all, app, port: (app.server.address() as AddressInfo).port };
}

const emptyAnswer = { result: "success", msg: "", events: [] };
const request = (path: string) =>
  `GET /api/v1${path} HTTP/1.1\r\nHost: toy.test\r\nAuthorization: ${authorization("mia")}\r\n\r\n`;

test("a call under way is finished, and its connection is closed after the response", async () => {
  const { all, app, port } = await harness();
  const client = new RawClient(port).send(request("/slow"));
  await expect.poll(() => all.finishSlow).toHaveLength(1);
  const closing = app.close();
  await expect.poll(() => app.server.listening).toBe(false);
  all.finishSlow[0]?.();
  await Promise.all([closing, client.closed()]);
  expect(client.received).toContain("Connection: close");
  expect(client.json).toMatchObject({ result: "success", given: "slowly" });
});

test("a stop answers held polls at once, and does not wait for connections without a call", async () => {
  const { all, app, port } = await harness();
  const polls = Array.from({ length: 2000 }, () => new RawClient(port).send(request("/poll")));
  const idle = new RawClient(port).send(request("/user"));
  await idle.until(() => idle.received.endsWith("}\n"));
  const halfOpen = [new RawClient(port), new RawClient(port).send("GET /api/v1/us")];
  await expect.poll(() => all.polls.length).toBe(polls.length);
  const slow = new RawClient(port).send(request("/slow"));
  await expect.poll(() => all.finishSlow).toHaveLength(1);
  const closing = app.close();
  // The stop goes on for as long as this call does not end, and these connections are closed meanwhile.
  for (const client of [...polls, idle]) await client.closed();
  for (const client of polls) expect([client.status, client.json]).toEqual([200, emptyAnswer]);
  expect(polls[0]?.received).toContain("Connection: close\r\n");
  expect(all.polls.every(({ isClosed }) => isClosed)).toBe(true);
  all.finishSlow[0]?.();
  // Nobody else would end them.
  for (const client of [slow, ...halfOpen]) await client.closed();
  await closing;
});

test("a stop does not wait for connections whose TLS handshake has not ended", async () => {
  const identifier = { identifier: { type: "dns", value: "toy.test" } } as acme.Authorization;
  const [key, chain] = await acme.crypto.createAlpnCertificate(identifier, "answer");
  const dir = mkdtempSync(path.join(os.tmpdir(), "parley-stop-"));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  const files = { certificate: path.join(dir, "toy.crt"), key: path.join(dir, "toy.key") };
  writeFileSync(files.key, key);
  writeFileSync(files.certificate, chain);
  const certificate = new ServedCertificate(files, "toy.test", pino({ level: "silent" }));
  const { app, port } = await harness({ certificate });
  let accepted = 0;
  app.server.on("connection", () => accepted++);
  const sockets = [connect(port, "127.0.0.1"), connect(port, "127.0.0.1")];
  const ends = sockets.map((socket) => new Promise((resolve) => socket.once("close", resolve)));
  for (const socket of sockets) socket.on("error", () => {});
  // The type of a record with a handshake, and no more.
  sockets[1]?.write(Buffer.from([0x16, 0x03, 0x01]));
  await expect.poll(() => accepted).toBe(2);
  await app.close();
  await Promise.all(ends);
});

test("a poll that arrives while the server stops is answered at once, and /health reports the stop", async () => {
  const { all, app, port } = await harness();
  const sockets: Socket[] = [];
  app.server.on("connection", (socket: Socket) => sockets.push(socket));
  const slow = new RawClient(port).send(request("/slow"));
  await expect.poll(() => all.finishSlow).toHaveLength(1);
  // These requests have partly arrived when the stop begins, so their connections are not idle.
  const poll = request("/poll");
  const poller = new RawClient(port).send(poll.slice(0, -2));
  const prober = new RawClient(port).send("GET /health HTTP/1.1\r\n");
  await expect.poll(() => sockets.filter((socket) => socket.bytesRead > 0)).toHaveLength(3);
  const closing = app.close();
  await expect.poll(() => app.server.listening).toBe(false);
  poller.send("\r\n");
  prober.send("Host: toy.test\r\n\r\n");
  await Promise.all([poller.closed(), prober.closed()]);
  expect([poller.status, prober.status]).toEqual([200, 503]);
  expect(poller.json).toEqual(emptyAnswer);
  expect(poller.received).toContain("Connection: close\r\n");
  expect(prober.json).toEqual({ status: "stopping" });
  all.finishSlow[0]?.();
  await Promise.all([closing, slow.closed()]);
});

test("a call that never finishes does not keep the server from stopping", async () => {
  const { all, app, port } = await harness();
  const client = new RawClient(port).send(request("/slow"));
  await expect.poll(() => all.finishSlow).toHaveLength(1);
  await app.close();
  await client.closed();
});
