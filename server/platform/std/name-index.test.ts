import { expect, test } from "vitest";
import { NameIndex } from "./name-index.ts";

const older = { id: 1, name: "Straße" };
const newer = { id: 2, name: "STRASSE" };

test("a name that two things have means the older one, in whatever order they came", () => {
  for (const things of [
    [older, newer],
    [newer, older],
  ]) {
    const index = new NameIndex<{ id: number; name: string }>();
    for (const thing of things) index.add(thing);
    expect(index.find("strasse")).toBe(older);
  }
});

test("when one of them is gone, the name means the other", () => {
  const index = new NameIndex<{ id: number; name: string }>();
  index.add(older);
  index.add(newer);
  const copy = new NameIndex(index);
  index.remove(older);
  expect(index.find("straße")).toBe(newer);
  expect(copy.find("straße")).toBe(older);
  index.remove(newer);
  expect(index.find("straße")).toBeUndefined();
});
