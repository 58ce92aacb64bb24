import { describe, expect, test } from "vitest";
import { AlertWordFinder } from "./alert-words.ts";

describe("an alert word", () => {
  test("is found whatever the case, alone or beside punctuation", () => {
    const finder = new AlertWordFinder(["Deploy", "on call"]);
    expect(finder.find("DEPLOY now")).toEqual(["deploy"]);
    expect(finder.find("who is on call? (deploy)")).toEqual(["on call", "deploy"]);
    expect(finder.find("deploy, deploy")).toEqual(["deploy"]);
  });

  test("is not found inside a longer word", () => {
    expect(new AlertWordFinder(["deploy"]).find("redeploy deployed deploy-x")).toEqual([]);
  });

  test("may share its beginning with another word", () => {
    expect(new AlertWordFinder(["new", "new york"]).find("in new york")).toEqual(["new", "new york"]);
  });

  test("is ignored if it is empty", () => {
    const finder = new AlertWordFinder(["", "  "]);
    expect(finder.isEmpty).toBe(true);
    expect(finder.find("anything")).toEqual([]);
  });

  test("is no longer found once removed, and words with the same beginning still are", () => {
    const words = ["new", "new york", "newt", "next", "rye"];
    const finder = new AlertWordFinder(words);
    const text = words.join(", ");
    const left = [...words];
    for (const word of ["new york", "next", "new", "rye", "newt"]) {
      finder.remove(word.toUpperCase());
      finder.remove("never there");
      left.splice(left.indexOf(word), 1);
      expect(finder.find(text), word).toEqual(left);
    }
    expect(finder.isEmpty).toBe(true);
    finder.add("next");
    finder.add("new");
    expect(finder.find(text)).toEqual(["new", "next"]);
  });
});
