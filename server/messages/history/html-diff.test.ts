import { expect, test } from "vitest";
import { diffHtml, MAX_PAIR_WORK } from "./html-diff.ts";

const marked = (html: string) =>
  html
    .replace(/<span class="highlight_text_inserted">(.*?)<\/span>/gs, "[+$1]")
    .replace(/<span class="highlight_text_deleted">(.*?)<\/span>/gs, "[-$1]");

test.each([
  ["<p>a b c</p>", "<p>a b c</p>", "<p>a b c</p>"],
  ["<p>a b c</p>", "<p>a x c</p>", "<p>a [-b][+x] c</p>"],
  ["<p>a</p>", "<p>a b</p>", "<p>a[+ b]</p>"],
  ["<p>a <strong>b</strong></p>", "<p>a b</p>", "<p>a b</p>"],
  ["<p>a</p>\n<p>b</p>", "<p>a</p>", "<p>a</p>[-\n][-b]"],
])("from %s to %s", (before, after, expected) => {
  expect(marked(diffHtml(before, after))).toBe(expected);
});

test("all tags of the new text stay, so the result is as well formed as the new text", () => {
  const after = '<p>one <a href="/x">two</a></p><ul><li>three</li></ul>';
  const html = diffHtml("<blockquote><p>two three</p></blockquote>", after);
  const tags = html.replace(/<\/?span[^>]*>/g, "").match(/<[^>]*>/g);
  expect(tags).toEqual(after.match(/<[^>]*>/g));
});

test("very long texts are compared as wholes", () => {
  const long = (word: string) => `<p>${Array.from({ length: 3000 }, (_, n) => `${word}${n}`).join(" ")}</p>`;
  expect(diffHtml(long("a"), long("b")).match(/<span/g)).toHaveLength(2);
});

test("many comparisons stay within their common work limit", () => {
  const text = (version: number) =>
    `<p>${Array.from({ length: 740 }, (_, n) => `${version}x${n}`).join(" ")}</p>`;
  const few = (version: number) => text(version).split(" ").slice(0, 100).join(" ");
  const large = { characters: 1_000_000, cells: 10 * MAX_PAIR_WORK };
  diffHtml(text(1), text(2), large);
  expect(large.cells).toBe(10 * MAX_PAIR_WORK);
  const work = { characters: 1_000_000, cells: 100_000 };
  const ranges = Array.from(
    { length: 100 },
    (_, n) => diffHtml(few(n), few(n + 1), work).match(/<span/g)?.length,
  );
  expect(work.cells).toBeGreaterThanOrEqual(0);
  expect(work.cells).toBeLessThan(199 * 199);
  expect(ranges.filter((count) => count !== 2)).toHaveLength(2);
});

test("texts that are too long to tokenize get no marks, and shorter ones still do", () => {
  const work = { characters: 100, cells: 1000 };
  const long = `<p>${"a ".repeat(50)}</p>`;
  expect(diffHtml("<p>b</p>", long, work)).toBe(long);
  expect(marked(diffHtml("<p>a</p>", "<p>b</p>", work))).toBe("<p>[-a][+b]</p>");
  expect(work).toEqual({ characters: 84, cells: 999 });
});

test("common text at the beginning and end counts as no work", () => {
  const work = { characters: 1_000_000, cells: 4 };
  const long = "and so on ".repeat(5000);
  expect(marked(diffHtml(`<p>${long}a b ${long}</p>`, `<p>${long}x b ${long}</p>`, work))).toContain(
    "[-a][+x]",
  );
  expect(work.cells).toBe(3);
});
