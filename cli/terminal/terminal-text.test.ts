import { describe, expect, test } from "vitest";
import { safeLine, safeText, widthOf, wrapLine } from "./terminal-text.ts";

describe("text made safe for a terminal", () => {
  test.each([
    ["a color", "\x1b[31mred", "[31mred"],
    ["a window title", "\x1b]0;owned\x07hi", "]0;ownedhi"],
    ["a one-byte control sequence", "\x9b2J", "2J"],
    ["a backspace", "ab\b\bcd", "abcd"],
    ["a carriage return", "good\revil", "good\nevil"],
    ["a change of the text direction", "a\u202Egnp.exe", "agnp.exe"],
    ["a line separator", "a\u2028b", "ab"],
    ["a NUL", "a\0b", "ab"],
    ["a delete", "a\x7fb", "ab"],
  ])("%s is removed", (_what, text, safe) => {
    expect(safeText(text)).toBe(safe);
  });

  test("line breaks stay, tabs become spaces, letters and emoji are untouched", () => {
    expect(safeText("één\n\t日本 👩‍👩‍👧 👍🏽")).toBe("één\n    日本 👩‍👩‍👧 👍🏽");
  });

  test("a name stays on its line", () => {
    expect(safeLine("Ada\n  #leads › secret")).toBe("Ada #leads › secret");
  });
});

describe("the width of text", () => {
  test.each([
    ["abc", 3],
    ["日本", 4],
    ["👍🏽", 2],
    ["👩‍👩‍👧", 2],
    ["e\u0301", 1],
    ["", 0],
  ])("'%s' takes %i columns", (text, columns) => {
    expect(widthOf(text)).toBe(columns);
  });
});

describe("breaking lines", () => {
  test("a line breaks between words", () => {
    expect(wrapLine("the quick brown fox", 10)).toEqual(["the quick", "brown fox"]);
  });

  test("a word that is too long is cut", () => {
    expect(wrapLine("abcdefghij klm", 4)).toEqual(["abcd", "efgh", "ij", "klm"]);
    expect(wrapLine("日本語日本語", 5)).toEqual(["日本", "語日", "本語"]);
  });

  test("the indentation is kept", () => {
    expect(wrapLine("  one two three", 9)).toEqual(["  one two", "  three"]);
  });

  test("wrapping any text loses no letter and leaves no line too wide", () => {
    let seed = 7;
    const random = (below: number) => {
      seed = (seed * 1103515245 + 12345) % 2 ** 31;
      return seed % below;
    };
    const alphabet = ["a", "bc", " ", "  ", "日", "👍🏽", "e\u0301", "-"];
    for (let round = 0; round < 300; round++) {
      const text = Array.from({ length: random(60) }, () => alphabet[random(alphabet.length)]).join("");
      const lines = wrapLine(text, 12);
      expect(lines.join("").replaceAll(" ", "")).toBe(text.replaceAll(" ", ""));
      for (const line of lines) expect(widthOf(line.trimEnd())).toBeLessThanOrEqual(12);
    }
  });
});
