import { beforeEach, expect, test } from "vitest";
import type { UserId } from "../../../api/ids.ts";
import { AlertWords } from "./alert-words.ts";

const [dev, gus] = [4, 6] as [UserId, UserId];

let words: AlertWords;
beforeEach(() => {
  words = new AlertWords();
  words.set(dev, ["Soup", "noodle soup"]);
  words.set(gus, ["soup"]);
});

test("a word alerts all people who have it, in upper or lower case", () => {
  expect([...words.hearersOf("SOUP!")]).toEqual([dev, gus]);
  expect([...words.hearersOf("no noodles")]).toEqual([]);
});

test("a word alerts nobody who removed it, and still alerts the others", () => {
  words.set(dev, ["noodle soup"]);
  expect([...words.hearersOf("soup")]).toEqual([gus]);
  expect([...words.hearersOf("noodle soup")].sort()).toEqual([dev, gus]);
  words.set(gus, []);
  words.set(dev, []);
  expect(words.isEmpty).toBe(true);
  expect([...words.hearersOf("noodle soup")]).toEqual([]);
});

test("words that nobody has any more are forgotten, and the others are still found", () => {
  const many = (prefix: string) => Array.from({ length: 900 }, (_, n) => `${prefix} ${n}`);
  for (const prefix of ["first", "second", "third"]) words.set(dev, many(prefix));
  expect([...words.hearersOf("first 5, second 6")]).toEqual([]);
  expect([...words.hearersOf("third 7, soup")].sort()).toEqual([dev, gus]);
  words.set(dev, []);
  words.set(gus, []);
  expect(words.isEmpty).toBe(true);
});

test.each([
  ["a block of code", "```\nsoup\n```"],
  ["indented code", "Look:\n\n    soup"],
  ["code in a line", "run `soup` and `noodle soup`"],
])("a word in %s alerts nobody", (_, content) => {
  expect([...words.hearersOf(content)]).toEqual([]);
});

test("a word next to code alerts", () => {
  expect([...words.hearersOf("`soup` is soup")]).toEqual([dev, gus]);
  expect([...words.hearersOf("soup`()`")]).toEqual([dev, gus]);
  expect([...words.hearersOf("```\nnoodle soup\n```\nsoup")]).toEqual([dev, gus]);
  words.set(dev, ["noodle soup"]);
  expect([...words.hearersOf("```\nnoodle soup\n```\nsoup")]).toEqual([gus]);
});

test("one pass finds any of ten thousand words", () => {
  const text = "word soup, wordy 7, soups. ".repeat(300);
  const many = ["soup", ...Array.from({ length: 10_000 }, (_, n) => `word ${n.toString(36)}x`)];
  words.set(dev, many);
  expect([...words.hearersOf(text)].sort()).toEqual([dev, gus]);
  // Looking for each word by itself takes a hundred times as long on any machine, however busy it is.
  const oneByOne = timeOf(() => many.filter((word) => text.includes(word)));
  expect(timeOf(() => words.hearersOf(text))).toBeLessThan(oneByOne / 10);
});

/** The shortest of ten times, in microseconds. */
function timeOf(look: () => void): number {
  const times = Array.from({ length: 10 }, () => {
    const before = process.hrtime.bigint();
    look();
    return Number(process.hrtime.bigint() - before) / 1000;
  });
  return Math.min(...times);
}
