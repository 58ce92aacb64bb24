import { expect, test } from "vitest";
import { withTimeLimit } from "./time-limit.ts";

test("work within the limit gives its result or its error", () => {
  expect(withTimeLimit(1000, () => "soup")).toBe("soup");
  expect(withTimeLimit(1000, () => [1, 2])).toBeInstanceOf(Array);
  const fail = () => {
    throw new TypeError("no soup");
  };
  expect(() => withTimeLimit(1000, fail)).toThrow(TypeError);
});

test("work beyond the limit is stopped, also inside of a pattern", () => {
  const began = process.cpuUsage();
  expect(withTimeLimit(20, () => /^(a+)+$/.test(`${"a".repeat(50)}b`))).toBeUndefined();
  let count = 0;
  const forever = () => {
    for (;;) count++;
  };
  expect(withTimeLimit(20, forever)).toBeUndefined();
  expect(count).toBeGreaterThan(0);
  const { user, system } = process.cpuUsage(began);
  // Without a limit, the pattern would take days.
  expect((user + system) / 1000).toBeLessThan(2000);
  expect(withTimeLimit(1000, () => "soup")).toBe("soup");
});
