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

test("what a start leaves behind is cleared once all is ready, and nobody else gets at the collector", () => {
  keepHeapSmall();
  let left: unknown[] | undefined = Array.from({ length: 200_000 }, () => [{}, {}]);
  expect(left).toHaveLength(200_000);
  const before = oldSpace();
  left = undefined;
  letHeapGrow();
  vi.runAllTimers();

  expect(oldSpace()).toBeLessThan(before - 5_000_000);
  expect(runInNewContext("typeof gc")).toBe("undefined");
});

function oldSpace(): number {
  return getHeapSpaceStatistics().find((space) => space.space_name === "old_space")?.space_used_size ?? 0;
}
