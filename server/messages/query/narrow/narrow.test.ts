import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type CastName, createHarness, type Harness } from "../../../../test/harness/harness.ts";
import { topicPolicies } from "../../../attention/user-topics/policy.ts";
import type { Channel } from "../../../channels/channel.ts";
import { sql } from "../../../platform/db/sql.ts";

let harness: Harness;
let kitchen: Channel;
let hall: Channel;
/** The cast of messages, by name. */
const ids: Record<string, number> = {};

beforeAll(async () => {
  harness = await createHarness();
  kitchen = await harness.channel("kitchen", ["ada", "dev"]);
  hall = await harness.channel("hall", ["ada", "dev"]);
  await harness.channel("square", ["ada", "dev"], { isWebPublic: true });
  await harness.as("dev").post("/users/me/alert_words", { alert_words: ["ladle"] });
  ids.soup = await say("ada", { topic: "soup", content: "Who has the ladle?" });
  ids.done = await say("dev", { topic: "✔ tea" });
  ids.link = await say("ada", { topic: "soup", content: "See https://example.com/recipe" });
  ids.far = await say("ada", { to: hall.id, topic: "plans", content: "https://example.com/hall.png" });
  ids.closed = await say("dev", {
    to: hall.id,
    topic: "✔ plans",
    content: "[menu](/user_uploads/2/ab/menu.txt)",
  });
  ids.open = await say("dev", { to: "square", topic: "soup" });
  ids.pair = await tell("ada", ["dev"], "@**Dev Rao**?");
  ids.group = await tell("dev", ["ada", "elin"]);
  ids.self = await tell("dev", ["dev"]);
  await harness.as("ada").post(`/messages/${ids.soup}/reactions`, { emoji_name: "octopus" });
  await harness.as("dev").post("/messages/flags", { messages: [ids.done], op: "add", flag: "starred" });
});
afterAll(() => harness?.close());

async function say(name: CastName, params: Record<string, unknown> = {}): Promise<number> {
  const message = { type: "channel", to: kitchen.id, topic: "lunch", content: "Soup?", ...params };
  const { status, body } = await harness.as(name).post("/messages", message);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.id;
}

const tell = (name: CastName, to: CastName[], content = "Soup?") =>
  say(name, { type: "direct", to: to.map((each) => harness.user(each).id), topic: undefined, content });

type Term = [operator: string, operand: unknown, negated?: "not"];

/** The names of the messages that match for dev. */
async function find(...terms: Term[]): Promise<string[]> {
  const narrow = terms.map(([operator, operand, negated]) => ({
    operator,
    operand,
    negated: negated === "not",
  }));
  const { status, body } = await harness
    .as("dev")
    .get("/messages", { anchor: "newest", num_before: 100, num_after: 0, narrow });
  expect(status, JSON.stringify(body)).toBe(200);
  const nameOf = new Map(Object.entries(ids).map(([name, id]) => [id, name]));
  return body.messages.map(({ id }: { id: number }) => nameOf.get(id));
}

const all = () => Object.keys(ids);
const allBut = (...names: string[]) => all().filter((name) => !names.includes(name));

const ada = "ada@demo.test";
const elinId = () => harness.user("elin").id;

/** The term as typed, the names of the matches for dev, and the operand if it is not the text. */
const terms: [typed: string, names: string[], operand?: () => unknown][] = [
  ["channel:kitchen", ["soup", "done", "link"]],
  ["channels:web-public", ["open"]],
  ["channels:all", ["soup", "done", "link", "far", "closed", "open"]],
  ["channels:public", ["soup", "done", "link", "far", "closed", "open"]],
  ["topic:SOUP", ["soup", "link", "open"]],
  ["is:dm", ["pair", "group", "self"]],
  ["is:resolved", ["done", "closed"]],
  ["is:unread", ["soup", "done", "link", "far", "closed", "open", "pair", "group", "self"]],
  ["is:mentioned", ["pair"]],
  ["is:alerted", ["soup"]],
  ["is:starred", ["done"]],
  ["dm:ada", ["pair"], () => [harness.user("ada").id]],
  ["dm:dev@demo.test", ["self"]],
  ["dm-including:elin", ["group"], () => [elinId()]],
  [`dm-including:${ada}`, ["pair", "group"]],
  [`sender:${ada}`, ["soup", "link", "far", "pair"]],
  ["sender:me", ["done", "closed", "open", "group", "self"]],
  ["from:ada", ["soup", "link", "far", "pair"], () => harness.user("ada").id],
  ["has:link", ["link", "far", "closed"]],
  ["has:image", ["far"]],
  ["has:attachment", ["closed"]],
  ["has:reaction", ["soup"]],
  ["id:link", ["link"], () => ids.link],
  // The older operators.
  ["stream:kitchen", ["soup", "done", "link"]],
  ["streams:web-public", ["open"]],
  ["subject:SOUP", ["soup", "link", "open"]],
  ["is:private", ["pair", "group", "self"]],
  ["pm-with:ada", ["pair"], () => [harness.user("ada").id]],
  ["group-pm-with:elin", ["group"], () => [elinId()]],
  ["in:all", ["soup", "done", "link", "far", "closed", "open", "pair", "group", "self"]],
  ["in:home", ["soup", "done", "link", "far", "closed", "open", "pair", "group", "self"]],
];

test.each(terms)("%s finds what matches, and its negation all the rest", async (typed, names, operandOf) => {
  const [operator = "", text] = typed.split(":");
  const operand = operandOf?.() ?? text;
  expect(await find([operator, operand])).toEqual(names);
  expect(await find([operator, operand, "not"])).toEqual(allBut(...names));
});

test("all terms must hold, including negated ones", async () => {
  expect(await find(["channel", "kitchen", "not"], ["is", "dm", "not"])).toEqual(["far", "closed", "open"]);
  expect(await find(["is", "resolved"], ["channel", hall.id])).toEqual(["closed"]);
  expect(await find(["is", "resolved"], ["channel", hall.id, "not"])).toEqual(["done"]);
  expect(await find(["has", "link"], ["sender", ada], ["topic", "soup"])).toEqual(["link"]);
  expect(await find(["is", "dm"], ["dm", [elinId()], "not"], ["sender", "me"])).toEqual(["group", "self"]);
  expect(await find(["channel", "kitchen"], ["topic", "soup", "not"])).toEqual(["done"]);
  expect(await find(["has", "reaction"], ["channel", "kitchen"])).toEqual(["soup"]);
});

describe("mentions", () => {
  let byName: number;

  beforeAll(async () => {
    const names = "@**Ada Osei** and @**Elin Berg**, not @_**Dev Rao**";
    byName = await say("ada", { topic: "names", content: names });
    await say("ada", { topic: "names", content: "@**all**" });
  });
  afterAll(async () => {
    const { status } = await harness
      .as("ada")
      .post(`/streams/${kitchen.id}/delete_topic`, { topic_name: "names" });
    expect(status).toBe(200);
  });

  const found = async (name: CastName, operand: unknown, negated = false) => {
    const narrow = [
      { operator: "channel", operand: "kitchen" },
      { operator: "topic", operand: "names" },
      { operator: "mentions", operand, negated },
    ];
    const { status, body } = await harness
      .as(name)
      .get("/messages", { anchor: "oldest", num_before: 0, num_after: 9, narrow });
    return status === 200 ? body.messages.map(({ id }: { id: number }) => id) : body.desc;
  };

  test("finds the messages that mention someone by name, for every reader", async () => {
    expect(await found("dev", harness.user("ada").id)).toEqual([byName]);
    expect(await found("dev", ada)).toEqual([byName]);
    expect(await found("ada", "me")).toEqual([byName]);
    expect(await found("dev", "me")).toEqual([]);
    expect(await found("dev", ada, true)).toHaveLength(1);
  });

  test("finds no message that the mentioned person did not receive", async () => {
    expect(await found("dev", elinId())).toEqual([]);
  });

  test("names one person", async () => {
    expect(await found("dev", [harness.user("ada").id, elinId()])).toBe("one person is mentioned");
    expect(await found("dev", [])).toBe("unknown user");
    expect(await found("dev", "nobody@demo.test")).toBe("unknown user nobody@demo.test");
  });
});

describe("a check of messages by id matches those that the narrow finds", () => {
  const asked = (...names: string[]) => names.map((name) => ids[name] as number);

  test.each<[string, () => Term[], string[]]>([
    ["another id", () => [["id", ids.far]], []],
    ["the id of one of them", () => [["id", ids.link]], ["link"]],
    [
      "two ids",
      () => [
        ["id", ids.soup],
        ["id", ids.link],
      ],
      [],
    ],
    ["any id but that of one of them", () => [["id", ids.soup, "not"]], ["link"]],
  ])("by %s", async (_, terms, names) => {
    const narrow = terms().map(([operator, operand, negated]) => ({
      operator,
      operand,
      negated: negated === "not",
    }));
    const msg_ids = asked("soup", "link");
    const matching = await harness.as("dev").get("/messages/matches_narrow", { msg_ids, narrow });
    expect(Object.keys(matching.body.messages).map(Number)).toEqual(asked(...names));
    const listed = await harness.as("dev").get("/messages", { message_ids: msg_ids, narrow });
    expect(listed.body.messages.map(({ id }: { id: number }) => id)).toEqual(asked(...names));
  });
});

test("`near` is a place to start, not a condition", async () => {
  expect(await find(["near", ids.soup])).toEqual(all());
});

describe("a muted place", () => {
  const regard = (topicId: number, policy: number) =>
    harness.state.database.query(sql`
      insert into topic_policies (organization_id, user_id, topic_id, policy)
      values (${harness.state.organizationId}, ${harness.user("dev").id}, ${topicId}, ${policy})
      on conflict (organization_id, user_id, topic_id) do update set policy = excluded.policy`);
  const topicOf = async (id: number) => {
    const [row] = await harness.state.database.query<{ id: number }>(sql`
      select topic_id as id from messages where organization_id = ${harness.state.organizationId} and id = ${id}`);
    return (row as { id: number }).id;
  };
  const mute = (channel: Channel, value: boolean) =>
    harness.as("dev").post("/users/me/subscriptions/properties", {
      subscription_data: [{ stream_id: channel.id, property: "is_muted", value }],
    });

  // A user who starts a topic follows it.
  beforeAll(() => harness.state.database.query(sql`delete from topic_policies`));

  test("is left out of `in:home`, and found by `is:muted`", async () => {
    await mute(hall, true);
    expect(await find(["is", "muted"])).toEqual(["far", "closed"]);
    expect(await find(["in", "home"])).toEqual(allBut("far", "closed"));
    expect(await find(["in", "home", "not"])).toEqual(["far", "closed"]);
    expect(await find(["is", "muted", "not"])).toEqual(allBut("far", "closed"));
    expect(await find(["in", "home"], ["channel", hall.name])).toEqual(["far", "closed"]);
  });

  test("has exceptions: muted topics, and unmuted topics in muted channels", async () => {
    await mute(hall, true);
    await regard(await topicOf(ids.soup as number), topicPolicies.muted);
    await regard(await topicOf(ids.far as number), topicPolicies.unmuted);
    await regard(await topicOf(ids.open as number), topicPolicies.followed);
    const muted = ["soup", "link", "closed"];
    expect(await find(["is", "muted"])).toEqual(muted);
    expect(await find(["in", "home"])).toEqual(allBut(...muted));
    expect(await find(["is", "muted", "not"])).toEqual(allBut(...muted));
    expect(await find(["in", "home", "not"])).toEqual(muted);
    expect(await find(["is", "followed"])).toEqual(["open"]);
    expect(await find(["is", "followed", "not"])).toEqual(allBut("open"));
    await mute(hall, false);
    expect(await find(["is", "muted"])).toEqual(["soup", "link"]);
    expect(await find(["is", "muted", "not"])).toEqual(allBut("soup", "link"));
  });

  test("does not include a channel that the user left, until they subscribe again", async () => {
    await harness.state.database.query(sql`delete from topic_policies`);
    await mute(hall, true);
    const subscriptions = [hall.name];
    expect((await harness.as("dev").delete("/users/me/subscriptions", { subscriptions })).status).toBe(200);
    expect(await find(["is", "muted"])).toEqual([]);
    expect(await find(["in", "home"])).toEqual(all());
    await harness.as("dev").post("/users/me/subscriptions", { subscriptions: [{ name: hall.name }] });
    expect(await find(["is", "muted"])).toEqual(["far", "closed"]);
    expect(await find(["in", "home"])).toEqual(allBut("far", "closed"));
    await mute(hall, false);
  });
});

test("a channel whose name is another channel's id is found by that name, and the other by its numeric id", async () => {
  const named = await harness.channel(String(hall.id), ["ada", "dev"]);
  ids.named = await say("ada", { to: named.id, topic: "numbers" });
  expect(await find(["channel", String(hall.id)])).toEqual(["named"]);
  expect(await find(["channel", hall.id])).toEqual(["far", "closed"]);
  expect(await find(["channel", String(named.id)])).toEqual(["named"]);
  const { status } = await harness.as("ada").delete(`/messages/${ids.named}`);
  expect(status).toBe(200);
  delete ids.named;
});

describe("an anchor that is a date", () => {
  const at = (id: number, moment: string) =>
    harness.state.database.query(sql`
      update messages set sent_at = ${moment} where organization_id = ${harness.state.organizationId} and id = ${id}`);
  const page = async (anchor_date: string, narrow: unknown[] = []) => {
    const { body } = await harness
      .as("dev")
      .get("/messages", { anchor: "date", anchor_date, num_before: 1, num_after: 1, narrow });
    return body;
  };

  beforeAll(async () => {
    const days = all().map(
      (name, index) => [ids[name] as number, `2026-03-0${index + 1}T12:00:00Z`] as const,
    );
    for (const [id, moment] of days) await at(id, moment);
  });

  test("is the first message sent then or later", async () => {
    const body = await page("2026-03-03");
    expect(body.anchor).toBe(ids.link);
    expect(body).toMatchObject({ found_anchor: true, found_oldest: false, found_newest: false });
    expect(body.messages.map(({ id }: { id: number }) => id)).toEqual([ids.done, ids.link, ids.far]);
    expect((await page("2026-03-03T12:00:00Z")).anchor).toBe(ids.link);
    expect((await page("2026-03-03T12:00:01Z")).anchor).toBe(ids.far);
    expect((await page("2026-03-03T14:00:00+02:00")).anchor).toBe(ids.link);
  });

  test("is the first matching message sent then or later", async () => {
    expect((await page("2026-03-02", [["channel", "hall"]])).anchor).toBe(ids.far);
    expect((await page("2026-03-06", [["sender", ada]])).anchor).toBe(ids.pair);
  });

  test("is the newest message when all messages are older", async () => {
    const body = await page("2027-01-01");
    expect(body.anchor).toBe(10_000_000_000_000_000);
    expect(body.messages.map(({ id }: { id: number }) => id)).toEqual([ids.self]);
    expect((await page("1999-01-01")).anchor).toBe(ids.soup);
  });

  test.each([
    "soon",
    "2026-13-01",
    "03/04/2026",
    "",
    "2026-03-01T25:00",
    "2020-02-30",
    "2021-02-29",
    "2020-06-31T12:00:00+02:00",
  ])("is refused as %j", async (text) => {
    expect((await page(text)).code).toBe("BAD_REQUEST");
  });

  test("may be the last day of February in a leap year, and the last moment of a day elsewhere", async () => {
    expect((await page("2020-02-29")).anchor).toBe(ids.soup);
    expect((await page("2020-02-29T23:59:59-11:00")).anchor).toBe(ids.soup);
  });
});

test.each<[string, unknown[]]>([
  ["an operator that is none", [["colour", "red"]]],
  [
    "two kinds of message at once",
    [
      ["channel", "kitchen"],
      ["is", "dm"],
    ],
  ],
  ["an unknown channel", [["channel", "cellar"]]],
  ["an unknown person", [["sender", "nobody@demo.test"]]],
  ["an unknown set of channels", [["channels", "secret"]]],
  ["an unknown kind", [["is", "purple"]]],
  ["an unknown part", [["has", "wings"]]],
  ["an unknown view", [["in", "basement"]]],
])("a narrow with %s is refused", async (_, narrow) => {
  const { body } = await harness
    .as("dev")
    .get("/messages", { anchor: "newest", num_before: 1, num_after: 0, narrow });
  expect(body.code).toBe("BAD_NARROW");
});
