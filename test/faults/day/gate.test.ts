import net from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { Gate } from "./gate.ts";

let closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.reverse()) await close();
  closers = [];
});

/** A gate before a program that repeats what it gets. */
async function echo(): Promise<Gate> {
  const server = net.createServer((socket) => {
    socket.on("error", () => {});
    socket.pipe(socket);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  closers.push(() => server.close());
  const gate = await Gate.open(() => (server.address() as net.AddressInfo).port);
  closers.push(() => gate.shut());
  return gate;
}

function connect(gate: Gate) {
  const socket = net.connect(gate.port, "127.0.0.1");
  closers.push(() => socket.destroy());
  const client = { socket, text: "", error: undefined as Error | undefined, isClosed: false };
  socket.setEncoding("utf8").on("data", (text: string) => {
    client.text += text;
  });
  socket.on("error", (error) => {
    client.error = error;
  });
  socket.on("close", () => {
    client.isClosed = true;
  });
  return client;
}

test("it passes everything on, in order, while it is slow and when it is not any more", async () => {
  const gate = await echo();
  const client = connect(gate);
  client.socket.write("1");
  await expect.poll(() => client.text).toBe("1");
  gate.delayMs = 100;
  client.socket.write("2");
  await sleep(20);
  gate.delayMs = 0;
  client.socket.write("3");
  await expect.poll(() => client.text).toBe("123");
});

test("it breaks the connections that there are, and takes new ones", async () => {
  const gate = await echo();
  const client = connect(gate);
  client.socket.write("1");
  await expect.poll(() => client.text).toBe("1");
  gate.cut();
  await expect.poll(() => client.isClosed).toBe(true);
  const next = connect(gate);
  next.socket.write("2");
  await expect.poll(() => next.text).toBe("2");
});

test("while it is shut nobody connects, and then at the same port", async () => {
  const gate = await echo();
  const { port } = gate;
  await gate.shut();
  const refused = connect(gate);
  await expect.poll(() => refused.error?.message).toContain("ECONNREFUSED");
  await gate.reopen();
  expect(gate.port).toBe(port);
  const client = connect(gate);
  client.socket.write("1");
  await expect.poll(() => client.text).toBe("1");
});

test("what it holds gets nothing and stays open, and breaks in the end", async () => {
  const gate = await echo();
  const before = connect(gate);
  before.socket.write("1");
  await expect.poll(() => before.text).toBe("1");
  gate.hold();
  const during = connect(gate);
  for (const { socket } of [before, during]) socket.write("2");
  await sleep(100);
  expect([before.text, before.isClosed, during.text, during.isClosed]).toEqual(["1", false, "", false]);
  gate.release();
  await expect.poll(() => [before.isClosed, during.isClosed]).toEqual([true, true]);
  const after = connect(gate);
  after.socket.write("3");
  await expect.poll(() => after.text).toBe("3");
});
