import { expect, test } from "vitest";
import { splitText } from "./split-text.ts";

test("a part ends at a paragraph, a line or a word, and else not within a character", () => {
  expect(splitText("one two\n\nthree four", 12)).toEqual(["one two", "three four"]);
  expect(splitText("one two three", 9)).toEqual(["one two", "three"]);
  expect(splitText("aaaaaaa👋b", 8)).toEqual(["aaaaaaa", "👋b"]);
});

test.each(["```", "````js", "~~~", "~~~~ sql"])("code that %s opens is code in each part", (opening) => {
  const fence = /^[`~]+/.exec(opening)?.[0] ?? "";
  const lines = Array.from({ length: 60 }, (_, index) => `  line ${index}`);
  const parts = splitText(`before\n\n${opening}\n${lines.join("\n")}\n${fence}\nafter`, 200);
  expect(parts.length).toBeGreaterThan(3);
  for (const part of parts) {
    expect(part.length).toBeLessThanOrEqual(200);
    expect(part.split("\n").filter((line) => line === opening || line === fence).length % 2).toBe(0);
  }
  const code = parts.flatMap((part) => part.split("\n").filter((line) => line.startsWith("  line")));
  expect(code).toEqual(lines);
  expect(parts.at(-1)?.endsWith(`${fence}\nafter`)).toBe(true);
});

test("a fence that leaves no room for text is text, and a shorter fence ends none", () => {
  const long = "`".repeat(150);
  expect(splitText(`${long}\n${"x".repeat(300)}`, 100).every((part) => part.length <= 100)).toBe(true);
  const nested = `\`\`\`\`\n${"x\n".repeat(20)}\`\`\`\n${"y\n".repeat(60)}\`\`\`\``;
  for (const part of splitText(nested, 100)) expect(part).toMatch(/^````\n[\s\S]*\n````$/);
});
