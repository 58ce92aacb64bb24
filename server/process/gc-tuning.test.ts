import { Session } from "node:inspector/promises";
import type { Logger } from "pino";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { keepHeapSmall, letHeapGrow } from "./gc-tuning.ts";

const warn = vi.fn();
const log = { warn } as unknown as Logger;

beforeEach(() => {
  warn.mockReset();
  vi.useFakeTimers({ toFake: ["setTimeout"] });
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test("garbage of the start is collected once the server is ready", async () => {
  keepHeapSmall();
  const left = makeGarbage();
  letHeapGrow(log);
  await turnOfLoop();
  expect(left.deref()).toBeDefined();
  // A reference that was read is kept until its turn of the event loop is over.
  await turnOfLoop();
  const disconnect = vi.spyOn(Session.prototype, "disconnect");
  vi.runAllTimers();
  await expect.poll(() => disconnect).toHaveBeenCalledOnce();

  expect(left.deref()).toBeUndefined();
  expect(warn).not.toHaveBeenCalled();
});

test("a Node that can't collect garbage when asked gets one warning", async () => {
  vi.spyOn(Session.prototype, "post").mockImplementation(() => {
    throw new Error("unknown method");
  });
  letHeapGrow(log);
  vi.runAllTimers();
  await expect.poll(() => warn).toHaveBeenCalledOnce();
});

/** Something that nothing refers to any more. Only a collection takes it away. */
function makeGarbage(): WeakRef<object> {
  return new WeakRef({ left: "behind" });
}

function turnOfLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
