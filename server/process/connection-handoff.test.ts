import type { Worker } from "node:cluster";
import { EventEmitter } from "node:events";
import type { Logger } from "pino";
import { beforeEach, expect, test, vi } from "vitest";
import { ConnectionHandoff } from "./connection-handoff.ts";

const warn = vi.fn();
let handoff: ConnectionHandoff;
beforeEach(() => {
  warn.mockReset();
  handoff = new ConnectionHandoff({ warn } as unknown as Logger);
});

/** A worker as node:cluster makes it, but without a process. */
function fakeWorker() {
  const sent: unknown[] = [];
  const child = Object.assign(new EventEmitter(), { send: (message: unknown) => sent.push(message) > 0 });
  const worker = Object.assign(new EventEmitter(), { id: 1, process: child, isConnected: () => false });
  const end = handoff.waitForEnd(worker as unknown as Worker, () => isServed);
  const refused: unknown[] = [];
  child.on("internalMessage", (message) => "accepted" in message && refused.push(message));
  return {
    sent,
    refused,
    say: (message: object) => child.emit("internalMessage", message),
    send: (message: object, handle?: object) =>
      (child.send as (...words: unknown[]) => boolean)(message, handle),
    listen: () => worker.emit("listening", { port: 1 }),
    async die() {
      child.emit("exit", null, "SIGKILL");
      return await end;
    },
  };
}

let isServed = true;
const connection = () => ({ close: vi.fn() });

test("a connection that a worker had not acknowledged is refused for it, and no other", async () => {
  isServed = true;
  const worker = fakeWorker();
  worker.say({ cmd: "NODE_CLUSTER", act: "online" });
  worker.listen();
  worker.send({ act: "newconn", seq: 1 }, connection());
  worker.say({ cmd: "NODE_CLUSTER", ack: 1 });
  worker.send({ act: "newconn", seq: 2 }, connection());
  worker.send({ start: {} });
  expect(await worker.die()).toEqual({ code: null, signal: "SIGKILL" });
  expect(worker.sent).toHaveLength(3);
  expect(worker.refused).toEqual([{ cmd: "NODE_CLUSTER", ack: 2, accepted: false }]);
  expect(warn).not.toHaveBeenCalled();
});

test("without another worker the connection is closed", async () => {
  isServed = false;
  const worker = fakeWorker();
  const waiting = connection();
  worker.send({ act: "newconn", seq: 1 }, waiting);
  await worker.die();
  expect(waiting.close).toHaveBeenCalledOnce();
  expect(worker.refused).toEqual([]);
});

test.each<[string, (worker: ReturnType<typeof fakeWorker>) => void]>([
  [
    "hands connections over by another message",
    (worker) => worker.send({ act: "conn", id: 1 }, connection()),
  ],
  ["hands over what can't be closed", (worker) => worker.send({ act: "newconn", seq: 1 }, {})],
  ["acknowledges what was not seen", (worker) => worker.say({ cmd: "NODE_CLUSTER", ack: 7 })],
  ["has no internal messages", (worker) => worker.listen()],
  [
    "never acknowledges",
    (worker) => {
      for (let seq = 0; seq < 1000; seq++) worker.send({ act: "newconn", seq }, connection());
    },
  ],
])("a version of Node that %s gets one warning, and workers run as before", async (_, run) => {
  isServed = true;
  const worker = fakeWorker();
  run(worker);
  run(worker);
  expect(warn).toHaveBeenCalledOnce();
  expect(warn.mock.calls[0]?.[1]).toContain("node:cluster works in an unknown way");
  worker.send({ stop: true });
  expect(worker.sent.at(-1)).toEqual({ stop: true });
  expect(await worker.die()).toEqual({ code: null, signal: "SIGKILL" });
  expect(worker.refused).toEqual([]);
});

test("an internal call that fails does not keep a worker from being replaced", async () => {
  isServed = true;
  const worker = fakeWorker();
  const waiting = { close: vi.fn() };
  worker.send({ act: "newconn", seq: 1 }, waiting);
  isServed = false;
  waiting.close.mockImplementation(() => {
    throw new TypeError("close is not what it was");
  });
  expect(await worker.die()).toEqual({ code: null, signal: "SIGKILL" });
  expect(warn).toHaveBeenCalledOnce();
});
