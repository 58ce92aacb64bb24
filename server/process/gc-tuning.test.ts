import { getHeapSpaceStatistics } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { keepHeapSmall, letHeapGrow } from "./gc-tuning.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test("garbage of the start is collected once the server is ready, and other code gets no access to the collector", () => {
  keepHeapSmall();
  let garbage: unknown[] | undefined = Array.from({ length: 200_000 }, () => [{}, {}]);
  expect(garbage).toHaveLength(200_000);
  const before = oldSpace();
  garbage = undefined;
  letHeapGrow();
  vi.runAllTimers();

  expect(oldSpace()).toBeLessThan(before - 5_000_000);
  expect(runInNewContext("typeof gc")).toBe("undefined");
});

function oldSpace(): number {
  return getHeapSpaceStatistics().find((space) => space.space_name === "old_space")?.space_used_size ?? 0;
}
