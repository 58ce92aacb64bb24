import { describe, expect, test } from "vitest";
import { AlertWordFinder, containsAlertWord } from "./alert-words.ts";

describe("an alert word", () => {
  test("is found whatever the case, alone or beside punctuation", () => {
    const finder = new AlertWordFinder(["Deploy", "on call"]);
    expect(finder.find("DEPLOY now")).toEqual(["deploy"]);
    expect(finder.find("who is on call? (deploy)")).toEqual(["on call", "deploy"]);
    expect(finder.find("deploy, deploy")).toEqual(["deploy"]);
  });

  test("is not found inside a longer word", () => {
    expect(containsAlertWord("redeploy deployed deploy-x", ["deploy"])).toBe(false);
  });

  test("may begin like another", () => {
    expect(new AlertWordFinder(["new", "new york"]).find("in new york")).toEqual(["new", "new york"]);
  });

  test("of no letters is no word", () => {
    expect(containsAlertWord("anything", ["", "  "])).toBe(false);
  });
});
