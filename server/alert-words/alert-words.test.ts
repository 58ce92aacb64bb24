import { beforeEach, expect, test } from "vitest";
import type { UserId } from "../../api/ids.ts";
import { AlertWords } from "./alert-words.ts";

const [dev, gus] = [4, 6] as [UserId, UserId];

let words: AlertWords;
beforeEach(() => {
  words = new AlertWords();
  words.set(dev, ["Soup", "noodle soup"]);
  words.set(gus, ["soup"]);
});

test("a word is heard by all who asked for it, in whatever letters", () => {
  expect([...words.hearersOf("SOUP!")]).toEqual([dev, gus]);
  expect([...words.hearersOf("no noodles")]).toEqual([]);
});

test("a word is not heard by who took it back, and still by the others", () => {
  words.set(dev, ["noodle soup"]);
  expect([...words.hearersOf("soup")]).toEqual([gus]);
  expect([...words.hearersOf("noodle soup")].sort()).toEqual([dev, gus]);
  words.set(gus, []);
  words.set(dev, []);
  expect(words.isEmpty).toBe(true);
  expect([...words.hearersOf("noodle soup")]).toEqual([]);
});

test("words that nobody wants any more are forgotten, the others are found as before", () => {
  const many = (prefix: string) => Array.from({ length: 900 }, (_, n) => `${prefix} ${n}`);
  for (const prefix of ["first", "second", "third"]) words.set(dev, many(prefix));
  expect([...words.hearersOf("first 5, second 6")]).toEqual([]);
  expect([...words.hearersOf("third 7, soup")].sort()).toEqual([dev, gus]);
});

test("looking for words takes no longer the more of a phrase the text repeats", () => {
  words.set(dev, [`${"a ".repeat(49)}b`]);
  const text = "a ".repeat(5000);
  const before = process.cpuUsage();
  for (let n = 0; n < 10; n++) expect(words.hearersOf(text).size).toBe(0);
  const { user, system } = process.cpuUsage(before);
  // 5,000 beginnings of at most 100 letters each: some 5 ms.
  expect((user + system) / 10).toBeLessThan(50_000);
});
