import { expect, test, vi } from "vitest";
import { resolveReferences } from "../texts/references.ts";
import { convertMrkdwn } from "./mrkdwn.ts";
import { convertRichText } from "./rich-text.ts";

const ids = {
  person: (id: string) => (id === "U1" ? { id: 7, name: "Mara Lind" } : undefined),
  channel: (id: string) => (id === "C1" ? 12 : undefined),
  message: (id: string | number) => (id === "C1:1700000000.000100" ? 99 : undefined),
  upload: () => undefined,
  lost: () => {},
};
const converted = (text: string) => resolveReferences(convertMrkdwn(text), ids);

test.each([
  ["*bold* _italic_ ~gone~", "**bold** *italic* ~~gone~~"],
  ["*bold _and italic_*", "**bold *and italic***"],
  ["snake_case_name 2*3*4", "snake_case_name 2&#42;3&#42;4"],
  ["`code *not bold* <@U1>` &amp;lt;", "`code *not bold* @U1` &amp;lt;"],
  ["a &lt;b&gt; &amp; c", "a <b> & c"],
  ["<@U1> and <@U2|someone>", "@_**Mara Lind|7** and @someone"],
  [
    "<#C1|general> <#C9|gone> <!here> <!subteam^S1|@oncall>",
    "[#general](#narrow/channel/12) #gone @_**all** @oncall",
  ],
  ["<https://a.example/?b=1&amp;c=2|the guide>", "[the guide](https://a.example/?b=1&c=2)"],
  ["<https://a.example/|the *guide*>", "[the &#42;guide&#42;](https://a.example/)"],
  ["<https://a.example> <javascript:alert(1)|x>", "https://a.example x"],
  ["<mailto:a@b.example|a@b.example> <tel:+49|call>", "a@b.example call (+49)"],
  ["<https://x.slack.com/archives/C1/p1700000000000100|here>", "[here](#narrow/channel/12/near/99)"],
  ["<@U9|**all**> <#C9|`x`>", "@&#42;&#42;all&#42;&#42; #&#96;x&#96;"],
  ["&gt; quoted\nafter", "> quoted\n\nafter"],
  ["&gt;&gt;&gt; all\nthe rest", "> all\n> the rest"],
  ["• one\n• two", "* one\n* two"],
  [":wave::skin-tone-2: :no_such_thing:", ":wave: :no_such_thing:"],
  ["see ```a\n&lt;b&gt;``` end", "see \n```\na\n<b>\n```\n end"],
  ["# no heading @**all**", "&#35; no heading @&#42;&#42;all&#42;&#42;"],
])("%s", (text, expected) => {
  expect(converted(text)).toBe(expected);
});

test("rich text has its marks outside of blanks, and fences longer than those inside", () => {
  const leaf = (text: string, style?: object) => ({ type: "text", text, style });
  const blocks = [
    {
      type: "rich_text",
      elements: [
        {
          type: "rich_text_section",
          elements: [leaf("rich ", { bold: true }), { type: "user", user_id: "U1" }],
        },
        {
          type: "rich_text_list",
          style: "ordered",
          indent: 1,
          elements: [{ type: "rich_text_section", elements: [leaf("one")] }],
        },
        { type: "rich_text_preformatted", elements: [leaf("a ``` b")] },
        { type: "rich_text_quote", elements: [leaf("q")] },
      ],
    },
  ];
  expect(resolveReferences(convertRichText(blocks) ?? "", ids)).toBe(
    "**rich** @_**Mara Lind|7**\n  1. one\n````\na ``` b\n````\n> q",
  );
  expect(convertRichText([{ type: "section" }, null, 5])).toBeUndefined();
});

test.each(["<", " *a", " _a", " ~a", "`a``", "<a", " *a_b", "&", ":", "*"])(
  "a line of many %s takes work in proportion to its length",
  (opening) => {
    for (const length of [3999, 100_000]) {
      const text = opening.repeat(length / opening.length);
      const search = vi.spyOn(String.prototype, "indexOf");
      try {
        convertMrkdwn(text);
        expect(search.mock.calls.length).toBeLessThan(length / 2 + 10);
      } finally {
        search.mockRestore();
      }
    }
  },
);

test("blanks within a rich text, and many fences within its code, take no time of their own", () => {
  const blanks = `a${" ".repeat(1_000_000)}b`;
  const code = "`x".repeat(300_000);
  const converted = convertRichText([
    {
      type: "rich_text",
      elements: [
        {
          type: "rich_text_section",
          elements: [{ type: "text", text: blanks, style: { bold: true } }],
        },
        { type: "rich_text_preformatted", elements: [{ type: "text", text: code }] },
      ],
    },
  ]);
  expect(converted).toBe(`**${blanks}**\n\`\`\`\n${code}\n\`\`\``);
});

test("rich text after a list or a quote is outside of it, and signs at starts of lines mean nothing", () => {
  const leaf = (text: string) => ({ elements: [{ type: "text", text }] });
  const elements = [
    { type: "rich_text_section", ...leaf("# no heading\n> no quote") },
    { type: "rich_text_quote", ...leaf("q") },
    { type: "rich_text_section", ...leaf("after") },
    { type: "rich_text_list", style: "bullet", elements: [leaf("one")] },
    { type: "rich_text_list", style: "bullet", indent: 1, elements: [leaf("two")] },
    { type: "rich_text_section", ...leaf("end") },
  ];
  expect(convertRichText([{ type: "rich_text", elements }])).toBe(
    "&#35; no heading\n&gt; no quote\n> q\n\nafter\n* one\n  * two\n\nend",
  );
});

test("long lines have marks too", () => {
  expect(converted(`${"x ".repeat(4000)}*bold*`)).toBe(`${"x ".repeat(4000)}**bold**`);
});
