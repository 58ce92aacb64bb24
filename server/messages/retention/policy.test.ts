import { describe, expect, test } from "vitest";
import { daysHeld, FOREVER, type Holds, nextHolds, ORGANIZATION, type Policy } from "./policy.ts";

const NOW = 1_000_000;
const END = NOW + 86_400;
const times = { now: NOW, until: END };

const policy = (organization: number, channels: Record<string, number> = {}): Policy => ({
  [ORGANIZATION]: organization,
  ...channels,
});
const held = (before: Policy, after: Policy, holds: Holds = {}, at = times) =>
  nextHolds({ policy: before, holds }, after, at);

describe("a place whose time was shortened", () => {
  test.each([
    ["to days from ever", policy(FOREVER), policy(30), { [ORGANIZATION]: FOREVER }],
    ["to fewer days", policy(90), policy(9), { [ORGANIZATION]: 90 }],
    ["of its own", policy(FOREVER, { 5: 90 }), policy(FOREVER, { 5: 9 }), { 5: 90 }],
    ["by giving it one", policy(90), policy(90, { 5: 9 }), { 5: 90 }],
    ["by taking its own away", policy(30, { 5: 90 }), policy(30), { 5: 90 }],
  ])("%s keeps to the longer one for a while", (_, before, after, days) => {
    const expected = Object.fromEntries(
      Object.entries(days).map(([place, each]) => [place, { days: each, until: END }]),
    );
    expect(held(before, after)).toEqual(expected);
  });

  test.each([
    ["that is longer", policy(30), policy(90)],
    ["that is without end", policy(30, { 5: 7 }), policy(FOREVER, { 5: FOREVER })],
    ["as before", policy(30, { 5: 7 }), policy(30, { 5: 7 })],
    ["as the organization's", policy(30, { 5: 30 }), policy(30)],
  ])("is held by no time %s", (_, before, after) => {
    expect(held(before, after)).toEqual({});
  });

  test("keeps to the longest of several, until a while after the last change", () => {
    const first = held(policy(90), policy(30));
    const second = held(policy(30), policy(9), first, { now: NOW + 10, until: END + 10 });
    expect(second).toEqual({ [ORGANIZATION]: { days: 90, until: END + 10 } });
    const later = { now: END + 20, until: END + 20 + 86_400 };
    expect(held(policy(9), policy(9), second, later)).toEqual({});
  });

  test("is held no longer once the time is taken back", () => {
    const holds = held(policy(90), policy(9));
    expect(held(policy(9), policy(90), holds, { now: NOW + 10, until: END + 10 })).toEqual({});
  });

  test("stays held by looks in between, but not for longer than from a look on", () => {
    const holds = held(policy(90), policy(9));
    expect(held(policy(9), policy(9), holds, { now: NOW + 10, until: END + 10 })).toEqual(holds);
    expect(held(policy(9), policy(9), holds, { now: NOW - 500, until: END - 500 })).toEqual({
      [ORGANIZATION]: { days: 90, until: END - 500 },
    });
  });
});

test("a channel is held by the organization's time if it has none of its own", () => {
  const before = policy(90, { 5: 7 });
  const after = policy(9, { 5: 7 });
  const holds = held(before, after);
  expect(daysHeld(after, holds, ORGANIZATION)).toBe(90);
  expect(daysHeld(after, holds, "6")).toBe(90);
  expect(daysHeld(after, holds, "5")).toBe(7);
  expect(daysHeld(policy(9), held(policy(9, { 5: 30 }), policy(9)), "5")).toBe(30);
});
