import { expect, test } from "vitest";
import type { Emoji } from "../../client/autocomplete/emoji.ts";
import { beside, emojiRows, emojiSections } from "./emoji-sections.ts";

const emoji = (code: string, category: string): Emoji => ({
  ...{ code, category, names: [`name_${code}`], type: "unicode_emoji", picture: undefined },
});
const faces = Array.from({ length: 10 }, (_one, at) => emoji(`f${at}`, "smileys"));
const flags = [emoji("a", "flags"), emoji("b", "flags"), emoji("c", "flags")];
const all = [...faces, ...flags];

test("what was used lately comes first, and again in its category", () => {
  const rows = emojiRows(emojiSections(all, "", ["b", "gone", "f1"]), 8);
  expect(rows.map(({ heading, emoji }) => heading ?? emoji.map(({ code }) => code).join(" "))).toEqual([
    ...["recent", "b f1", "smileys", "f0 f1 f2 f3 f4 f5 f6 f7", "f8 f9", "flags", "a b c"],
  ]);
  expect(rows.map(({ start }) => start)).toEqual([0, 0, 2, 2, 10, 12, 12]);
});

test("a search has no headings", () => {
  expect(emojiSections(all, "name_b", [])).toEqual([{ category: undefined, emoji: [flags[1]] }]);
});

test("the arrows keep their column, also across headings and short rows", () => {
  const rows = emojiRows(emojiSections(all, "", ["b", "f1"]), 8);
  expect(beside(rows, 1, 8)).toBe(3);
  expect(beside(rows, 7, 8)).toBe(11);
  expect(beside(rows, 11, 8)).toBe(13);
  expect(beside(rows, 13, -8)).toBe(11);
  expect(beside(rows, 3, -8)).toBe(1);
  // At the ends it stays.
  expect(beside(rows, 14, 8)).toBe(14);
  expect(beside(rows, 0, -8)).toBe(0);
});
