import { runInNewContext } from "node:vm";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { keepHeapSmall, letHeapGrow } from "./gc-tuning.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout"] });
});
afterEach(() => {
  vi.useRealTimers();
});

test("garbage of the start is collected once the server is ready, and other code gets no access to the collector", async () => {
  keepHeapSmall();
  const left = makeGarbage();
  letHeapGrow();
  await turnOfLoop();
  expect(left.deref()).toBeDefined();
  // A reference that was read is kept until its turn of the event loop is over.
  await turnOfLoop();
  vi.runAllTimers();

  expect(left.deref()).toBeUndefined();
  expect(runInNewContext("typeof gc")).toBe("undefined");
});

/** Something that nothing refers to any more. Only a collection takes it away. */
function makeGarbage(): WeakRef<object> {
  return new WeakRef({ left: "behind" });
}

function turnOfLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
