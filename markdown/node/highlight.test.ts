import { describe, expect, test } from "vitest";
import { listLanguages } from "../languages.ts";
import { highlight } from "./highlight.ts";

const textOf = (html: string): string =>
  html
    .replace(/<[^>]*>/g, "")
    .replace(/&lt;/g, "<")
    .replace(/&gt;/g, ">")
    .replace(/&amp;/g, "&");

describe("highlighted code", () => {
  test("carries Pygments' class names", () => {
    expect(highlight('def f(self):\n    return "a" # c\n', "py")).toBe(
      '<span class="k">def</span> <span class="nf">f</span>(<span class="n">self</span>):\n    <span class="k">return</span> <span class="s">"a"</span> <span class="c1"># c</span>\n',
    );
  });

  test("spells the same text in every language", () => {
    const code =
      "class A<B> { /* c */ f(x: \"y\", 'z') => 1 & 2; }\n# d\n\n-- e $f {{ g }} <h i='j'>&amp;</h>\n";
    let seen = 0;
    for (const alias of listLanguages().keys()) {
      const html = highlight(code, alias);
      if (html === null) continue;
      expect(textOf(html), alias).toBe(code);
      expect(html, alias).not.toMatch(/<(?!span class="[a-z0-9]{1,2}">|\/span>)|hljs/);
      seen++;
    }
    expect(seen).toBeGreaterThan(150);
  });

  test("is left out for an unknown language and for very long lines or gaps", () => {
    expect(highlight("x\n", "klingon")).toBeNull();
    expect(highlight(`${"a".repeat(300)}\n`, "js")).toBeNull();
    expect(highlight(`a${"\n".repeat(200)}b\n`, "js")).toBeNull();
  });

  test("is left out for code that takes long in its grammar", () => {
    const long = (unit: string) => unit.repeat(Math.ceil(4900 / unit.length));
    // These take seconds in C#, and a tenth of a second in the others.
    for (const [language, unit] of [
      ["c#", "a b<c>\n"],
      ["toml", "a-b.a-b.\n"],
      ["cpp", `${"Ab".repeat(60)}\n`],
    ] as const) {
      expect(highlight(long(unit), language), language).toBeNull();
      expect(highlight(long(`${unit.slice(0, 20)}(x);{}=1;\n`), language), language).not.toBeNull();
    }
  });
});
