import { expect, test } from "vitest";
import { diffHtml } from "./html-diff.ts";

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

test("the new text's tags all stay, so the result is as well formed as it was", () => {
  const after = '<p>one <a href="/x">two</a></p><ul><li>three</li></ul>';
  const html = diffHtml("<blockquote><p>two three</p></blockquote>", after);
  const tags = html.replace(/<\/?span[^>]*>/g, "").match(/<[^>]*>/g);
  expect(tags).toEqual(after.match(/<[^>]*>/g));
});

test("very long texts are compared as wholes", () => {
  const long = (word: string) => `<p>${Array.from({ length: 3000 }, (_, n) => `${word}${n}`).join(" ")}</p>`;
  expect(diffHtml(long("a"), long("b")).match(/<span/g)).toHaveLength(2);
});
