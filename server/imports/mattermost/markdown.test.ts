import { expect, test } from "vitest";
import { resolveReferences } from "../texts/references.ts";
import { convertMarkdown } from "./markdown.ts";
import { firstWords, markdownWriter } from "./writers.ts";

const ids = {
  person: (id: string) => (id.startsWith("mara") ? { id: 7, name: "Mara Lind" } : undefined),
  channel: (id: string) => (id === "alpha:secret" ? 12 : undefined),
  message: () => undefined,
  upload: () => undefined,
  lost: () => {},
};
const losses: string[] = [];
const writer = markdownWriter({
  isPerson: (name) => ["mara", "mara.lind", "mara:other"].includes(name),
  channelOf: (name) => (name === "secret" ? "alpha:secret" : undefined),
  isCustomEmoji: (name) => name === "party_parrot",
  channelAt: (address) =>
    address === "https://old.example/alpha/channels/secret"
      ? { id: "alpha:secret", name: "secret" }
      : undefined,
  lost: (_reason, example) => losses.push(example),
});
const converted = (text: string) => resolveReferences(convertMarkdown(text, writer), ids);

const SECRET = "[#secret](#narrow/channel/12)";

test.each([
  ["_italic_ __bold__ ___both___ *i* **b** ~~s~~", "*italic* **bold** ***both*** *i* **b** ~~s~~"],
  ["**_both_** _**both**_ snake_case_name _a b", "***both*** ***both*** snake_case_name _a b"],
  ["_a *b* c_ _a_b_ _ a _", "_a *b* c_ *a_b* _ a _"],
  ["`@mara ~secret _x_` ``a ` b``", "`@mara ~secret _x_` ``a ` b``"],
  ["a ``` b ` c", "a &#96;&#96;&#96; b &#96; c"],
  [
    "@mara, @Mara.Lind. @mara.lindt @mara:other",
    "@_**Mara Lind|7**, @_**Mara Lind|7**. @mara.lindt @_**Mara Lind|7**",
  ],
  [
    "@all @channel: @here! @allgood mail@mara.example",
    "@_**all** @_**all**: @_**all**! @allgood mail@mara.example",
  ],
  ["@**mara** #**general** #_x_ @_y_", "&#64;**mara** &#35;**general** &#35;*x* &#64;*y*"],
  ["~secret, ~unknown ~~secret~~ a~secret", `${SECRET}, ~unknown ~~secret~~ a~secret`],
  [
    ":wave: :+1_medium_skin_tone: :party_parrot: :no_such: 12:30:45",
    ":wave: :+1: :party_parrot: :no_such: 12:30:45",
  ],
  ['[the _guide_](https://a.example/x_y_z "title")', "[the guide](https://a.example/x_y_z)"],
  [
    "![shot](https://a.example/a.png =100x50) ![](https://a.example/b.png)",
    "[shot](https://a.example/a.png) https://a.example/b.png",
  ],
  [
    "[a](javascript:alert(1)) <https://a.example> <mailto:a@b.example> <b>",
    "a https://a.example a@b.example <b>",
  ],
  [
    "https://a.example/@mara_/x_y_ and **https://b.example/_c_**",
    "https://a.example/@mara_/x_y_ and **https://b.example/_c_**",
  ],
  [
    "https://old.example/alpha/channels/secret. [here](https://old.example/alpha/channels/secret)",
    `${SECRET}. [#here](#narrow/channel/12)`,
  ],
  [
    "\\*no\\* \\`a\\` \\_b\\_ \\# \\[x](y) C:\\dir \\\\`c`",
    "&#42;no&#42; &#96;a&#96; _b_ &#35; &#91;x](y) C:\\dir &#92;`c`",
  ],
  ["costs $$5 <time:now>", "costs &#36;$5 &#60;time:now>"],
  ["/poll no\n/todo", "&#47;poll no\n/todo"],
  ["Title\n===\nand\n---\n- a\n---", "# Title\n## and\n- a\n---"],
  ["# _Head_\n___\n1) one\n2) two", "# *Head*\n___\n1. one\n2. two"],
  ["> _q_\n> > @mara\n\nafter", "> *q*\n> > @_**Mara Lind|7**\n\nafter"],
  ["> a\n> ```\n> @mara\n> ```", "````quote\na\n```\n@mara\n```\n````"],
  [
    "text\n| _a_ | b |\n|---|:-:|\n| `_c_` | @mara |\n\nend",
    "text\n\n| *a* | b |\n|---|:-:|\n| `_c_` | @_**Mara Lind|7** |\n\nend",
  ],
  ["```js\n@mara _x_\n```\n_y_", "```js\n@mara _x_\n```\n*y*"],
  ["~~~\n```\n~~~", "````\n```\n````"],
  ["````quote\n\n @all\n````", "```text\n\n @all\n```"],
  ["- a\n  ```\n  code\n    deep\n  ```", "- a\n```\ncode\n  deep\n```"],
  ["```\nno end @mara", "```\nno end @mara\n```"],
  ["a:\n\n    @mara _x_\n\n\t~secret\nb _c_", "a:\n\n    @mara _x_\n\n    ~secret\nb *c*"],
  ["- a\n\n    _b_", "- a\n\n    *b*"],
  ["a\r\nb", "a\nb"],
])("%s", (text, expected) => {
  expect(converted(text)).toBe(expected);
});

test("a mention of nobody is counted once, and stays", () => {
  losses.length = 0;
  converted("@nobody. and `@code` and a@b.example");
  expect(losses).toEqual(["@nobody"]);
});

test("a topic is named by words without marks", () => {
  expect(firstWords("```\ncode\n```")).toBe("code");
  expect(firstWords("\n---\n## **Shall** we _move_ the `release` [now](https://a.example)? :wave:")).toBe(
    "Shall we move the release now? :wave:",
  );
  expect(firstWords("> 2 * 3 @mara")).toBe("2 * 3 @mara");
});

test("texts that are made to take long are read in one pass", () => {
  for (const piece of [
    "[",
    "_a ",
    "`",
    "``` ` ",
    "__a",
    "@a.",
    "![](",
    "> ",
    "\\",
    "*_",
    "(",
    "[a](",
    "~~~\n",
    "|-\n",
  ]) {
    const text = piece.repeat(100_000 / piece.length);
    expect(converted(text).length, piece).toBeGreaterThan(0);
  }
});
