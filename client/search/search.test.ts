import { expect, test } from "vitest";
import { Model } from "../model/model.ts";
import type { Narrow, NarrowTerm } from "../narrow.ts";
import { hashOfNarrow, parseNarrowHash } from "../narrow-hash.ts";
import { findFlaw } from "./flaws.ts";
import { formatSearch, formatTerm, parseSearch } from "./grammar.ts";
import { namesOf } from "./names.ts";
import { type SearchSurroundings, suggest } from "./suggest.ts";

const person = (user_id: number, full_name: string, more: object = {}) => ({
  ...{ user_id, full_name, email: `${user_id}@x.test`, role: 400, is_active: true },
  ...more,
});
const channel = (stream_id: number, name: string) => ({
  ...{ stream_id, name, description: "", is_archived: false, subscriber_count: 3 },
});

const model = Model.fromSnapshot({
  user_id: 1,
  realm_users: [
    person(1, "Viewer"),
    person(2, "Ada"),
    person(3, "Ada Lovelace"),
    person(4, "Zoë Young"),
    person(5, "Zoë Young"),
    person(6, "Adam Muted"),
    person(7, "me"),
    person(8, "Comma, the"),
    person(9, "9"),
  ],
  muted_users: [{ id: 6, timestamp: 1 }],
  subscriptions: [channel(10, "design"), channel(11, "dark mode")],
  never_subscribed: [channel(12, "desk"), channel(13, 'say "hi"'), channel(14, "12")],
});
const names = namesOf(model);

const term = (operator: string, operand: NarrowTerm["operand"], negated?: boolean): NarrowTerm => ({
  ...{ operator, operand },
  ...(negated && { negated }),
});
const parse = (text: string) => parseSearch(text, names).narrow;

test("operators become terms, and everything else is one text to look for", () => {
  expect(parse('channel:design soup topic:"dark mode" of the day')).toEqual([
    term("channel", 10),
    term("search", "soup of the day"),
    term("topic", "dark mode"),
  ]);
  expect(parse("-channel:Design -is:STARRED from:me has:links mentions:3 channels:public id:7")).toEqual([
    term("channel", 10, true),
    term("is", "starred", true),
    term("sender", "me"),
    term("has", "link"),
    term("mentions", 3),
    term("channels", "public"),
    term("id", 7),
  ]);
  expect(parseSearch("dm:ada,zoë near:99", names)).toEqual({ narrow: [term("dm", "ada,zoë")], near: 99 });
  expect(parse("dm-including:2@x.test,1")).toEqual([term("dm-including", [1, 2])]);
});

test("a name may have spaces, and is taken as the longest that somebody has", () => {
  expect(parse("sender:ada lovelace engine")).toEqual([term("sender", 3), term("search", "engine")]);
  expect(parse("sender:ada love engine")).toEqual([term("sender", 2), term("search", "love engine")]);
  expect(parse('sender:"ada" lovelace')).toEqual([term("sender", 2), term("search", "lovelace")]);
  expect(parse("channel:dark mode soup")).toEqual([term("channel", 11), term("search", "soup")]);
});

test("phrases, words to leave out, and what only looks like an operator", () => {
  expect(parse('"is:starred soup" -"no peas" -beans')).toEqual([
    term("search", '"is:starred soup"'),
    term("search", '"no peas"', true),
    term("search", "beans", true),
  ]);
  expect(parse("“dark mode” topic:„Menü der Woche“")).toEqual([
    term("search", '"dark mode"'),
    term("topic", "Menü der Woche"),
  ]);
  for (const text of [
    "http://x.test:80/a",
    "12:30",
    "foo:bar",
    "channel:",
    "near:soon",
    "- a",
    "--",
    "-near:5",
  ])
    expect(parse(text), text).toEqual([term("search", text)]);
  expect(parse("   ")).toEqual([]);
});

const searches: Narrow[] = [
  [term("channel", 10), term("topic", "Soup, of the day")],
  [term("channel", 13), term("topic", '“quoted" \\ back')],
  [term("channel", 12), term("channel", 14)],
  [term("topic", "")],
  [term("sender", 2), term("search", "Lovelace")],
  [term("sender", 4, true), term("sender", 7), term("sender", "me")],
  [term("sender", 8), term("sender", 9)],
  [term("dm", [2, 8]), term("search", "a:b -c")],
  [term("dm-including", [4, 5]), term("is", "unread", true)],
  [term("search", "is:starred"), term("search", "more")],
  [term("search", "two words", true)],
  [term("search", 'an open "phrase')],
  [term("search", "  spaces  ")],
  [term("sender", "Nobody At All"), term("channel", "no such")],
];

test("a search that is written out is read as the same search", () => {
  for (const narrow of searches) {
    const text = formatSearch({ narrow, near: 5 }, names);
    expect(parseSearch(text, names), text).toEqual({ narrow, near: 5 });
    expect(parseNarrowHash(hashOfNarrow({ narrow, near: 5 })), text).toEqual({ narrow, near: 5 });
  }
  expect(formatTerm(term("sender", 4), names)).toBe('sender:"Zoë Young|4"');
  expect(formatSearch({ narrow: searches[0] ?? [], near: undefined }, names)).toBe(
    'channel:design topic:"Soup, of the day"',
  );
});

test("any text can be searched for, and leads to the same search again", () => {
  const pieces = [
    '"',
    "\\",
    "-",
    ":",
    " ",
    "is:",
    "topic:",
    "sender:",
    "ada",
    "“",
    "𝔘",
    "\ud800",
    "near:1",
    "\n",
  ];
  let seed = 7;
  const next = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed % below;
  };
  for (let round = 0; round < 3000; round++) {
    const text = Array.from({ length: next(12) }, () => pieces[next(pieces.length)]).join("");
    const search = parseSearch(text, names);
    expect(parseSearch(formatSearch(search, names), names), JSON.stringify(text)).toEqual(search);
  }
});

test("a search that can't be answered says why", () => {
  const flaw = (text: string) => findFlaw(parse(text), model);
  expect(flaw("sender:Nobody soup")).toEqual({ kind: "person", text: "Nobody" });
  expect(flaw("sender:zoë")).toEqual({ kind: "person", text: "zoë" });
  expect(flaw("channel:nowhere")).toEqual({ kind: "channel", text: "nowhere" });
  expect(flaw("is:funny")).toMatchObject({ kind: "value", operator: "is", text: "funny" });
  expect(flaw("channel:design dm:ada")).toEqual({ kind: "both", text: "" });
  expect(flaw("a".repeat(2001))).toEqual({ kind: "tooLong", text: "2000" });
  expect(flaw("is:starred ".repeat(101))).toEqual({ kind: "tooMany", text: "100" });
  expect(findFlaw([term("channel", "Design"), term("sender", "2@x.test")], model)).toBeUndefined();
  expect(findFlaw([term("with", "x")], model)).toEqual({ kind: "operator", text: "with" });
  for (const text of ["soup", "-channel:design dm:ada", "is:dm sender:me", ""])
    expect(flaw(text)).toBeUndefined();
});

const around: SearchSurroundings = {
  ...{ model, terms: [], recentSenders: [], place: { kind: "channel", channelId: 10, topic: "soup" } },
  topicsOf: (id) => (id === 10 ? ["soup", "dark mode"] : ["elsewhere"]),
};
const suggested = (text: string, more: Partial<SearchSurroundings> = {}) =>
  suggest(text, { ...around, ...more }).found.map((suggestion) =>
    suggestion.kind === "operator"
      ? `${suggestion.isNegated ? "-" : ""}${suggestion.operator}:`
      : suggestion.terms.map((each) => formatTerm(each, names)).join(" "),
  );

test("an empty field proposes the place on the screen, and what can be typed", () => {
  expect(suggested("")).toEqual([
    ...["channel:design topic:soup", "channel:", "topic:", "sender:", "dm:", "is:", "has:"],
  ]);
  expect(suggested("", { terms: [term("dm", [2])] })).toEqual(["sender:", "is:", "has:"]);
});

test("values are proposed for an operator, and everything for a word", () => {
  expect(suggested("channel:d")).toEqual(['channel:"dark mode"', "channel:design", "channel:desk"]);
  expect(suggested("soup -is:st")).toEqual(["-is:starred"]);
  expect(suggested("sender:")[0]).toBe("sender:me");
  expect(suggested("sender:ada")).toEqual(["sender:Ada", 'sender:"Ada Lovelace"']);
  expect(suggested("soup sender:ada lo")).toEqual(['sender:"Ada Lovelace"']);
  expect(suggested("dm:Ada,zo").every((suggestion) => suggestion.startsWith("dm:"))).toBe(true);
  expect(suggested("topic:dark m")).toEqual(['topic:"dark mode"']);
  expect(suggested("topic:el", { terms: [term("channel", 11)] })).toEqual(["topic:elsewhere"]);
  expect(suggested("star")).toEqual(["is:starred"]);
  expect(suggested("-un")).toEqual(["-is:unread"]);
  expect(suggested("ad")).toEqual(["sender:Ada", 'sender:"Ada Lovelace"', "dm:Ada"]);
  expect(suggested("@ada")).toEqual(["sender:Ada", 'sender:"Ada Lovelace"', "dm:Ada"]);
  expect(suggested("#des")).toEqual(["channel:design", "channel:desk"]);
  expect(suggested("xyzzy")).toEqual([]);
});

test("terms that nothing could match are not proposed", () => {
  expect(suggested("channel:d", { terms: [term("dm", [2])] })).toEqual([]);
  expect(suggested("dm:ad", { terms: [term("channel", 10)] })).toEqual([]);
  expect(suggested("is:st", { terms: [term("is", "starred")] })).toEqual([]);
  expect(suggest("soup  sender:a", around).start).toBe(6);
  expect(suggest("soup -is:", around).start).toBe(5);
});

test("no more than eight are proposed, also among ten thousand people", () => {
  const many = Model.fromSnapshot({
    user_id: 1,
    realm_users: Array.from({ length: 10_000 }, (_one, at) =>
      person(at + 1, `Zoë ${at} of Group ${at % 97}`),
    ),
  });
  expect(suggest("sender:zo", { ...around, model: many }).found).toHaveLength(8);
});
