import { describe, expect, test } from "vitest";
import { hostileTexts } from "./cases/hostile.ts";
import { proseOf } from "./prose.ts";

/** The words of the prose: nothing else of it matters. */
const words = (text: string): string[] => proseOf(text).match(/[a-z]+/g) ?? [];

describe("the prose of a text", () => {
  test("is the text itself when nothing in it could be code", () => {
    const text = "**soup** for @**Ada Osei**\n* one\n* two ~~three~~\n> quoted";
    expect(proseOf(text)).toBe(text);
  });

  test.each([
    ["a fenced block", "before\n```\ncode\n```\nafter"],
    ["a block in another fence, with a language", "before\n~~~ python\ncode\n~~~\nafter"],
    ["a block that is never closed", "before after\n```\ncode"],
    ["a block of maths", "before\n```math\ncode\n```\nafter"],
    ["lines indented by spaces", "before\n\n    code\n    code\n\nafter"],
    ["lines indented by tabs", "before\n\n\tcode\n\tcode\n\nafter"],
    ["code in a line", "before `code` after"],
    ["code between more backticks", "before ```` code ` code ```` after"],
    ["code in a list", "* before\n* `code` after"],
    ["code in a quote", "> before `code`\n\nafter"],
    ["code in a fenced quote", "```quote\nbefore\n~~~\ncode\n~~~\n```\nafter"],
    ["code in a spoiler", "```spoiler before\n~~~\ncode\n~~~\n```\nafter"],
    ["code in a table", "| before | after |\n|--|--|\n| `code` | `code` |"],
  ])("leaves out %s", (_, text) => {
    expect(words(text)).toEqual(["before", "after"]);
  });

  test("keeps the words on both sides of code apart", () => {
    expect(proseOf("soup`code`bread")).toContain("soup`bread");
  });

  test.each([
    ["a backtick without a partner", "one ` two"],
    ["backticks in two paragraphs", "one `\n\n` two"],
    ["backticks in two items", "* one `\n* ` two"],
    ["an escaped backtick", "\\`one two`"],
    ["the spaces of an inner list", "* one\n    * two"],
  ])("keeps what %s only seems to make code", (_, text) => {
    expect(words(text)).toEqual(["one", "two"]);
  });

  test("is found in any text", () => {
    for (const [name, text] of Object.entries(hostileTexts))
      expect(typeof proseOf(text), name).toBe("string");
  });
});
