import { describe, expect, test } from "vitest";
import { tokensInHtml } from "./html-tokens.ts";
import { parseSearch } from "./query.ts";
import { indexedForms, tokensIn } from "./tokens.ts";

const texts = (text: string) => tokensIn(text).map((word) => word.text);

describe("words", () => {
  test.each([
    ["Soup, today? It's 3rd-rate: foo_bar.ts!", "soup today it s 3rd rate foo bar ts"],
    ["Crème BRÛLÉE ﬁne", "creme brulee fine"],
    ["Москва Ελλάς", "москва ελλας"],
    ["weekly会議today", "weekly 会議 today"],
    ["東京、ラーメン", "東京 ラーメン"],
    ["— ?! …", ""],
  ])("of %j are told apart by what stands between them", (text, words) => {
    expect(texts(text).join(" ")).toBe(words);
  });

  test("of ASCII are the same with other letters beside them", () => {
    for (let code = 0; code < 128; code++) {
      const text = `Ab${String.fromCharCode(code)}c3`;
      expect(tokensIn(text, 7), `character ${code}`).toEqual(tokensIn(`${text} é`, 7).slice(0, -1));
    }
  });

  test("know their place in the text", () => {
    const text = "A Crème, 会議";
    expect(tokensIn(text).map(({ start, end }) => text.slice(start, end))).toEqual(["A", "Crème", "会議"]);
  });

  test("in scripts without spaces are indexed as pairs", () => {
    const [run, word] = tokensIn("天気予報 soup") as [
      ReturnType<typeof tokensIn>[0],
      ReturnType<typeof tokensIn>[0],
    ];
    expect(indexedForms(run)).toEqual(["天気", "気予", "予報", "報"]);
    expect(indexedForms(word)).toEqual(["soup"]);
  });
});

test("only the visible text of HTML counts: no tags, no references, no formulas", () => {
  const html = `<p title="hidden > word">Soup &amp; <strong>bre</strong>ad &#39;n&#39; tea<br><math><mi>x</mi></math> 1 &lt; 2</p>`;
  expect(tokensInHtml(html).map(({ text }) => text)).toEqual(["soup", "bre", "ad", "n", "tea", "1", "2"]);
});

test("a search is words, and phrases between quotation marks", () => {
  expect(parseSearch('Soup "Of the Day" don\'t 天気 ""')).toEqual(
    [
      { kind: "word", text: "soup" },
      { kind: "sequence", words: tokensIn("Of the Day") },
      { kind: "word", text: "don" },
      { kind: "word", text: "t" },
      { kind: "sequence", words: [{ ...tokensIn("天気")[0] }] },
    ].map((term) =>
      term.kind === "sequence" ? { ...term, words: term.words?.map(() => expect.anything()) } : term,
    ),
  );
  expect(parseSearch('"unfinished phrase')).toEqual([
    { kind: "word", text: "unfinished" },
    { kind: "word", text: "phrase" },
  ]);
  expect(parseSearch("?!")).toEqual([]);
});
