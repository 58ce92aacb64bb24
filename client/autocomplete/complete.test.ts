import { expect, test } from "vitest";
import { Model } from "../model/model.ts";
import { type Completion, complete } from "./complete.ts";
import { tokenAt } from "./token.ts";

const person = (user_id: number, full_name: string, more: object = {}) => ({
  ...{ user_id, full_name, email: `${user_id}@x.test`, role: 400, is_active: true },
  ...more,
});

const model = Model.fromSnapshot({
  user_id: 1,
  realm_users: [
    person(1, "Viewer"),
    person(2, "Zoë Adams"),
    person(3, "Ada Zimmer"),
    person(4, "Zoe Young"),
    person(5, "Zoe Young"),
    person(6, "Zora Muted"),
    person(7, "Zoo Bot", { is_bot: true }),
    person(8, "Анна Иванова"),
  ],
  muted_users: [{ id: 6, timestamp: 1 }],
  realm_user_groups: [
    {
      id: 1,
      name: "zoologists",
      description: "",
      members: [],
      direct_subgroup_ids: [],
      is_system_group: false,
    },
    {
      id: 2,
      name: "role:zeros",
      description: "",
      members: [],
      direct_subgroup_ids: [],
      is_system_group: true,
    },
  ],
  subscriptions: [{ stream_id: 5, name: "zone", description: "", is_archived: false, subscriber_count: 3 }],
  never_subscribed: [{ stream_id: 6, name: "zebra", description: "", is_archived: false }],
});

function completions(text: string, recentSenders: number[] = []): Completion[] {
  const token = tokenAt(text, text.length);
  if (!token) return [];
  return complete(token, {
    ...{ model, recentSenders, place: { kind: "channel", channelId: 5, topic: "t" } },
    topicsOf: (id) => (id === 5 ? ["newest", "old news"] : []),
    emoji: [
      { names: ["octopus"], code: "1f419", category: "objects", type: "unicode_emoji", picture: undefined },
    ],
    recentEmoji: [],
  });
}
const texts = (text: string, recent?: number[]) => completions(text, recent).map((one) => one.text);

test("people are found by any word of their names, without accents, those who wrote here first", () => {
  expect(texts("@zo")).toEqual([
    "@**Zoë Adams** ",
    "@**Zoe Young|4** ",
    "@**Zoe Young|5** ",
    "@*zoologists* ",
    "@**Zoo Bot** ",
  ]);
  expect(texts("@zo", [2])[0]).toBe("@**Zoë Adams** ");
  expect(texts("hello @ADA")).toEqual(["@**Ada Zimmer** ", "@**Zoë Adams** "]);
  expect(texts("@ива")).toEqual(["@**Анна Иванова** "]);
  expect(texts("@_ada z")).toEqual(["@_**Ada Zimmer** "]);
});

test("wildcards, channels, topics, emoji, languages and commands", () => {
  expect(texts("@al")).toEqual(["@**all** "]);
  expect(texts("#z")).toEqual(["#**zone** ", "#**zebra** "]);
  expect(texts("see #**zone>ne")).toEqual(["#**zone>newest** ", "#**zone>old news** "]);
  expect(texts(":octo")).toEqual([":octopus: "]);
  expect(texts("```py")).toEqual(["python\n"]);
  expect(texts("/po")).toEqual(["/poll "]);
});

test("addresses, code and finished names are left alone", () => {
  for (const text of ["mail@zo", "```\n@zo", "@ zo", "10:30", "`:oc", "text /po"]) {
    expect(texts(text), text).toEqual([]);
  }
  expect(texts("```\ncode\n```\n@ada z")).toEqual(["@**Ada Zimmer** "]);
});

test("those who wrote last are first, also among ten thousand people", () => {
  const many = Model.fromSnapshot({
    user_id: 1,
    realm_users: Array.from({ length: 10_000 }, (_one, at) =>
      person(at + 1, `Zoë ${at} of Group ${at % 97}`),
    ),
  });
  const token = tokenAt("@zo", 3);
  if (!token) throw new Error("there is nothing to complete");
  const found = complete(token, {
    ...{ model: many, place: undefined, recentSenders: [5000, 7000], emoji: [], recentEmoji: [] },
    topicsOf: () => [],
  });
  expect(found.map(({ userId }) => userId).slice(0, 2)).toEqual([5000, 7000]);
});
