import { expect, test } from "vitest";
import { tooDear } from "../../bench/cost/too-dear.ts";

const known = { star: { node: 7, database: 5 }, presence: { node: 0.8, database: 0.1 } };
const dear = (measured: typeof known) => tooDear(known, measured).map(({ change }) => change);

test("a verb may take twice the time that is written and one bare answer, and not more", () => {
  expect(dear(known)).toEqual([]);
  expect(dear({ ...known, star: { node: 15, database: 10 } })).toEqual([]);
  expect(dear({ ...known, star: { node: 15.5, database: 5 } })).toEqual([
    "star: Node's time 7.0 → 15.5 bare answers",
  ]);
});

test("PostgreSQL's time counts together with Node's", () => {
  expect(dear({ ...known, star: { node: 7, database: 18 } })).toEqual([]);
  expect(dear({ ...known, star: { node: 7, database: 19 } })).toEqual([
    "star: all its time 12.0 → 26.0 bare answers",
  ]);
});

test("a verb that takes less than a bare answer may take one more", () => {
  expect(dear({ ...known, presence: { node: 2.5, database: 0.1 } })).toEqual([]);
  expect(dear({ ...known, presence: { node: 2.9, database: 0.1 } })).toEqual([
    "presence: Node's time 0.8 → 2.9 bare answers",
  ]);
});

test("a verb that is not written is not compared", () => {
  expect(tooDear({}, known)).toEqual([]);
});
