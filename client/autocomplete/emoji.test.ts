import { expect, test } from "vitest";
import { type Emoji, findEmoji } from "./emoji.ts";

const emoji = (code: string, ...names: string[]): Emoji => ({
  ...{ code, names },
  category: "objects",
  type: "unicode_emoji",
  picture: undefined,
});

const all = [
  emoji("1", "thinking"),
  emoji("2", "heart", "love"),
  emoji("3", "black_heart"),
  emoji("4", "heart_eyes"),
  emoji("5", "sweetheart"),
];
const codes = (text: string, recent: string[] = []) => findEmoji(all, text, recent).map(({ code }) => code);

test("names that begin with the text come first, then words, then the rest", () => {
  expect(codes("heart")).toEqual(["2", "4", "3", "5"]);
  expect(codes("LOVE")).toEqual(["2"]);
  expect(codes("heart e")).toEqual(["4"]);
  expect(codes("nothing")).toEqual([]);
});

test("what was used lately comes first among equals", () => {
  expect(codes("heart", ["5", "4"])).toEqual(["4", "2", "3", "5"]);
  expect(codes("")).toHaveLength(5);
});
