import { expect, test } from "vitest";
import { FreeNames } from "./names.ts";

test("equal names get numbers, ignoring case, and also where somebody has such a number", () => {
  const names = new FreeNames();
  const taken = ["Plan", "plan (2)", "PLAN", "Plan", "plan (2)"].map((name) => names.take(name, 60));
  expect(taken).toEqual(["Plan", "plan (2)", "PLAN (3)", "Plan (4)", "plan (2) (2)"]);
});

test("a name that is as long as it may be is cut for its number", () => {
  const names = new FreeNames();
  expect([names.take("abcdefgh", 8), names.take("abcdefgh", 8)]).toEqual(["abcdefgh", "abc… (2)"]);
});

test("tens of thousands of equal names each get the next number", () => {
  const names = new FreeNames();
  const last = Array.from({ length: 50_000 }, () => names.take("Alert", 60)).at(-1);
  expect(last).toBe("Alert (50000)");
});
