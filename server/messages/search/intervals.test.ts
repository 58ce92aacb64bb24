import { expect, test } from "vitest";
import {
  atMost,
  formatIntervals,
  hasId,
  intervalsOfIds,
  overlaps,
  parseIntervals,
  union,
  without,
} from "./intervals.ts";

const three = parseIntervals("{[1,5),[7,9),[20,30)}");

test("intervals are read and written as PostgreSQL does", () => {
  expect(three).toEqual([
    { from: 1, to: 5 },
    { from: 7, to: 9 },
    { from: 20, to: 30 },
  ]);
  expect(formatIntervals(three)).toBe("{[1,5),[7,9),[20,30)}");
  expect(parseIntervals("{}")).toEqual([]);
});

test("a union joins what overlaps or touches, in any order", () => {
  expect(formatIntervals(union([...intervalsOfIds([9, 6, 5]), ...three]))).toBe("{[1,10),[20,30)}");
  expect(union([{ from: 4, to: 4 }])).toEqual([]);
});

test("taking an interval away cuts the others", () => {
  expect(formatIntervals(without(three, { from: 3, to: 25 }))).toBe("{[1,3),[25,30)}");
  expect(formatIntervals(without(three, { from: 22, to: 23 }))).toBe("{[1,5),[7,9),[20,22),[23,30)}");
});

test("an interval has its beginning and not its end", () => {
  expect([0, 1, 4, 5, 8, 9].filter((id) => hasId(three, id))).toEqual([1, 4, 8]);
  expect(overlaps(three, { from: 5, to: 7 })).toBe(false);
  expect(overlaps(three, { from: 4, to: 7 })).toBe(true);
});

test("the lowest intervals are joined when there are too many", () => {
  expect(formatIntervals(atMost(three, 2))).toBe("{[1,9),[20,30)}");
  expect(formatIntervals(atMost(three, 1))).toBe("{[1,30)}");
  expect(atMost(three, 3)).toEqual(three);
  expect(atMost([], 3)).toEqual([]);
});
