import { expect, test } from "vitest";
import type { UserId } from "../../../api/ids.ts";
import { readPeople, writePeople } from "./people-text.ts";

const people = (ids: number[]) => ids as UserId[];

test("people are written in any order and read in ascending order", () => {
  const ids = people([900_000_000_001, 36, 1, 37, 5_000]);
  expect(readPeople(writePeople(ids))).toEqual([1, 36, 37, 5_000, 900_000_000_001]);
  expect(readPeople(writePeople(people([])))).toEqual([]);
  expect(readPeople(writePeople(people([7])))).toEqual([7]);
});

test("neighbors cost two characters each, however large their ids are", () => {
  const ids = people(Array.from({ length: 2500 }, (_, index) => 1_000_000 + 2 * index));
  expect(writePeople(ids).length).toBeLessThan(2 * 2500 + 10);
});
