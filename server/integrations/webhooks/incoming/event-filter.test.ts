import { describe, expect, test } from "vitest";
import { isWanted, matchesPattern } from "./event-filter.ts";

describe("a pattern for events", () => {
  test.each([
    ["push", "push", true],
    ["push", "pushed", false],
    ["push", "", false],
    ["issues.opened", "issues.*", true],
    ["issues", "issues.*", false],
    ["issues.opened", "*", true],
    ["", "*", true],
    ["issues.opened", "*.opened", true],
    ["issues.closed", "*.opened", false],
    ["a.b.c", "a*b*c", true],
    ["abab", "*ab", true],
    ["push", "p?sh", true],
    ["push", "push?", false],
    ["push", "[pq]ush", true],
    ["bush", "[!pq]ush", true],
    ["push", "[!pq]ush", false],
    ["run7", "run[0-9]", true],
    ["runx", "run[0-9]", false],
    ["a]", "a[]]", true],
    ["a[", "a[", true],
    ["a-", "a[b-]", true],
    ["PUSH", "push", false],
    ["a.b", "a?b", true],
    ["a\\b", "a\\b", true],
  ])("%j and %j: %j", (name, pattern, expected) => {
    expect(matchesPattern(name, pattern)).toBe(expected);
  });

  test("takes time in proportion to the lengths", () => {
    const before = process.cpuUsage().user;
    expect(matchesPattern("a".repeat(10_000), `${"a*".repeat(50)}b`)).toBe(false);
    expect(process.cpuUsage().user - before).toBeLessThan(2_000_000);
  });
});

test("an event is wanted if a pattern names it, and no other excludes it", () => {
  expect(isWanted("push", undefined, undefined)).toBe(true);
  expect(isWanted("push", ["issues.*", "push"], undefined)).toBe(true);
  expect(isWanted("push", ["issues.*"], undefined)).toBe(false);
  expect(isWanted("push", [], undefined)).toBe(false);
  expect(isWanted("push", undefined, ["p*"])).toBe(false);
  expect(isWanted("push", ["*"], ["push"])).toBe(false);
});
