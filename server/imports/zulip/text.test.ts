import { expect, test } from "vitest";
import { convertText } from "./text.ts";

const lost: string[] = [];
const ids = {
  person: (id: string) => (id === "13" ? { id: 7, name: "Ann Lind" } : undefined),
  channel: (id: string) => (id === "31" ? 4 : undefined),
  message: (id: number | string) => (id === 1001 ? 55 : undefined),
  upload: (id: string) => (id === "2/ab/token/a.png" ? "9/cd/other/a.png" : undefined),
  lost: (reason: string) => void lost.push(reason),
};
const convert = (text: string) => convertText(text, ids, "https://old.example.com");

test("ids in texts become those of here", () => {
  const cases = [
    ["@**Ann|13** @_**Ann|13**", "@**Ann Lind|7** @_**Ann Lind|7**"],
    ["@**Gone|99** and @**all** and @**Ann**", "@**Gone** and @**all** and @**Ann**"],
    [
      "#**general>plan@1001** #**general>plan@9** #**general**",
      "#**general>plan@55** #**general>plan** #**general**",
    ],
    [
      "[x](#narrow/stream/31-general/topic/plan/near/1001)",
      "[x](#narrow/stream/4-general/topic/plan/near/55)",
    ],
    ["[x](/#narrow/channel/31-general/topic/plan/near/9)", "[x](#narrow/channel/4-general/topic/plan)"],
    ["https://old.example.com/#narrow/dm/13-ann/near/1001 .", "#narrow/dm/7-ann/near/55 ."],
    ["https://other.example.com/#narrow/channel/31-x", "https://other.example.com/#narrow/channel/31-x"],
    ["[a](/user_uploads/2/ab/token/a.png)", "[a](/user_uploads/9/cd/other/a.png)"],
    ["https://x.example.com/user_uploads/thumbnail/2/ab/token/a.png", "/user_uploads/9/cd/other/a.png"],
    ["/user_uploads/2/zz/unknown/a.png", "/user_uploads/2/zz/unknown/a.png"],
    ["```quote\n@**Ann|13**\n```", "```quote\n@**Ann Lind|7**\n```"],
  ] as const;
  for (const [text, expected] of cases) expect(convert(text)).toBe(expected);
  expect(new Set(lost)).toEqual(
    new Set([
      "mentions of people who are not in the archive became names",
      "links to messages that are not in the archive lead to their topic",
      "links to files that are not in the archive lead nowhere",
    ]),
  );
});

test("code stays as it is", () => {
  const texts = [
    "`@**Ann|13**`",
    "``a ` @**Ann|13**``",
    "```\n@**Ann|13**\n```",
    "~~~ python\n#narrow/stream/31-general\n~~~",
    "````\n```\n@**Ann|13**\n```\n````",
  ];
  for (const text of texts) expect(convert(text)).toBe(text);
});

test("a text that is made to take long does not", () => {
  for (const piece of ["@**", "#narrow/", "`", "``` ", "/user_uploads/", "https://", "#**a>b@"]) {
    const text = piece.repeat(Math.floor(10_000 / piece.length));
    expect(convert(text).length).toBeLessThan(20_000);
  }
});
