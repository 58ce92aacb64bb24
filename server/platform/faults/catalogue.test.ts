import { expect, test } from "vitest";
import { faults, findFault, withNumber } from "./catalogue.ts";
import { exitCodes } from "./exit-codes.ts";

test("each fault has a number of its own, and those of a kind stand in order", () => {
  const numbers = Object.values(faults).map(({ number }) => number);
  expect(new Set(numbers).size).toBe(numbers.length);
  expect(numbers).toEqual([...numbers].sort());
});

test("no fault ends a command as if it were done, or as a wrong call", () => {
  const exits = new Set(Object.values(faults).map(({ exit }) => exit));
  expect([...exits].filter((exit) => exit === exitCodes.ok || exit === exitCodes.usage)).toEqual([]);
});

test("what it is and what to do are sentences", () => {
  for (const [name, { what, remedy }] of Object.entries(faults)) {
    expect(what, name).toMatch(/^[A-Z].*\.$/);
    expect(remedy, name).toMatch(/^[A-Z`].*\.$/);
  }
});

test("a number is found again from the sentence that ends with it", () => {
  const [, number = ""] = /\((P\d{3})\)$/.exec(withNumber("disk-full", "There is no room.")) ?? [];
  expect(findFault(number)?.[0]).toBe("disk-full");
  expect(findFault("P999")).toBeUndefined();
});
