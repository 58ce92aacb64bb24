import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type CastName, createHarness, type Harness } from "../../../test/harness/harness.ts";
import type { Channel } from "../../channels/channel.ts";
import { sql } from "../../platform/db/sql.ts";
import { SearchFollower } from "./follower.ts";
import { followLog, indexAll } from "./index-messages.ts";

let harness: Harness;
let kitchen: Channel;
let vault: Channel;
beforeAll(async () => {
  harness = await createHarness();
  kitchen = await harness.channel("kitchen", ["ada", "dev", "elin"]);
  vault = await harness.channel("vault", ["ada", "elin"], { isPrivate: true });
});
afterAll(() => harness?.close());

async function say(
  content: string,
  params: Record<string, unknown> = {},
  name: CastName = "ada",
): Promise<number> {
  const message = { type: "channel", to: kitchen.id, topic: "lunch", content, ...params };
  const { status, body } = await harness.as(name).post("/messages", message);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.id;
}

const index = () => indexAll(harness.services.database, harness.state.organizationId);

type Term = readonly [operator: string, operand: unknown, negated?: boolean];

/** Every message is in a gap, and its old row is still in the index. */
const forget = () =>
  harness.state.database.query(sql`
    update search_cursors set gaps = int8multirange(int8range(0, followed_to + 1))
    where organization_id = ${harness.state.organizationId}`);

/** What a search finds, whatever the index has. */
async function find(query: string, options: { as?: CastName; more?: Term[]; page?: object } = {}) {
  const behind = await ask(query, options);
  await index();
  const complete = await ask(query, options);
  expect(behind).toEqual(complete);
  await forget();
  expect(await ask(query, options)).toEqual(complete);
  await index();
  return complete;
}

async function ask(query: string, { as = "dev" as CastName, more = [] as Term[], page = {} } = {}) {
  const narrow = [["search", query] as Term, ...more].map(([operator, operand, negated = false]) => ({
    operator,
    operand,
    negated,
  }));
  const { status, body } = await harness
    .as(as)
    .get("/messages", { anchor: "newest", num_before: 50, num_after: 0, narrow, ...page });
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
}

// biome-ignore lint/suspicious/noExplicitAny: tests read answers freely.
const ids = (body: any): number[] => body.messages.map(({ id }: { id: number }) => id);
const search = async (...args: Parameters<typeof find>) => ids(await find(...args));

describe("a message is found", () => {
  test("by all of its words, in any order and case, in the text and in the topic", async () => {
    const id = await say("Leek and Potato tonight", { topic: "Suppers" });
    expect(await search("potato LEEK")).toEqual([id]);
    expect(await search("suppers potato")).toEqual([id]);
    expect(await search("potato carrot")).toEqual([]);
  });

  test("by other forms of a word, by words that have no other form, and without accents", async () => {
    const id = await say("The engines were stalling at the café");
    expect(await search("engine stalled")).toEqual([id]);
    expect(await search("the were stalling")).toEqual([id]);
    expect(await search("CAFE stalling")).toEqual([id]);
    expect(await search("cafés stalling")).toEqual([id]);
  });

  test.each([
    ["dying", "die"],
    ["skies", "sky"],
    ["happiness", "happy"],
    ["relational", "relate"],
    ["organizations", "organ"],
    ["hopefulness", "hoping"],
  ])("by %s and %s alike, which have one stem", async (one, other) => {
    const [first, second] = [await say(`${one} papaya`), await say(`${other} guava`)];
    expect(await search(`${one} papaya`)).toEqual([first]);
    expect(await search(`${other} papaya`)).toEqual([first]);
    expect(await search(`${one} guava`)).toEqual([second]);
  });

  test("by a phrase, word for word", async () => {
    const id = await say("green onions, then red peppers");
    expect(await search('"Onions then red"')).toEqual([id]);
    expect(await search('"then onions red"')).toEqual([]);
    expect(await search('"red peppers" green')).toEqual([id]);
    expect(await search('"red pepper"')).toEqual([]);
  });

  test("by a part of a word that is long enough", async () => {
    const id = await say("The misconfigured gateway");
    expect(await search("config")).toEqual([id]);
    expect(await search("gatew")).toEqual([id]);
    expect(await search("gat")).toEqual([]);
    expect(await search("tewa config")).toEqual([id]);
  });

  test("in scripts without spaces by any part of a run", async () => {
    const id = await say("明日の天気予報を見る");
    for (const part of ["天気", "天気予報", "予", "る", "明日の天気予報を見る"]) {
      expect(await search(part), part).toEqual([id]);
    }
    for (const part of ["天予", "気天", "雪", "見るよ"]) expect(await search(part), part).toEqual([]);
    expect(await search('"天気" 予報')).toEqual([id]);
  });

  test("by names of files and people as they are written", async () => {
    const id = await say("See `walk-spans.ts`, @**Dev Rao**, and [the guide](https://example.com/zanzibar)");
    expect(await search("walk-spans.ts")).toEqual([id]);
    expect(await search("@Dev guide spans")).toEqual([id]);
    // Text that readers don't see is not searched.
    expect(await search("zanzibar")).toEqual([]);
  });

  test("together with the other terms of a narrow", async () => {
    const [one, two] = [
      await say("a walnut", { topic: "nuts" }),
      await say("a walnut", { topic: "cake" }, "dev"),
    ];
    expect(await search("walnut")).toEqual([one, two]);
    expect(await search("walnut", { more: [["topic", "nuts"]] })).toEqual([one]);
    const inTopic: Term[] = [
      ["channel", "kitchen"],
      ["topic", "cake"],
    ];
    expect(await search("walnut", { more: inTopic })).toEqual([two]);
    expect(await search("walnut", { more: [["sender", "dev@demo.test"]] })).toEqual([two]);
    expect(await search("walnut", { more: [["sender", "dev@demo.test", true]] })).toEqual([one]);
    expect(await search("walnut", { more: [["search", "nuts"]] })).toEqual([one]);
    expect(await search("walnut", { more: [["search", "nuts", true]] })).toEqual([two]);
    expect(await search("walnut", { more: [["is", "dm"]] })).toEqual([]);
    await harness.as("dev").post("/messages/flags", { messages: [two], op: "add", flag: "starred" });
    expect(await search("walnut", { more: [["is", "starred"]] })).toEqual([two]);
    expect(await search("walnut", { more: [["is", "unread"]] })).toContain(one);
  });

  test("page by page, with exact ends", async () => {
    const all: number[] = [];
    for (let n = 0; n < 6; n++) all.push(await say(`barley ${n}`));
    const page = (anchor: unknown, num_before: number, num_after: number) =>
      find("barley", { page: { anchor, num_before, num_after } });
    const middle = await page(all[2], 1, 2);
    expect(ids(middle)).toEqual(all.slice(1, 5));
    expect(middle).toMatchObject({ found_anchor: true, found_oldest: false, found_newest: false });
    expect(await page("oldest", 0, 6)).toMatchObject({ found_oldest: true, found_newest: false });
    expect(await page("oldest", 0, 7)).toMatchObject({ found_oldest: true, found_newest: true });
    expect(ids(await page("newest", 2, 0))).toEqual(all.slice(-2));
    expect(ids(await page("first_unread", 0, 1))).toEqual(all.slice(0, 2));
  });
});

test.each(["", "   ", "?!", '""', "'); drop table messages; --", "a & b | !c:*", "<->", "\\", "'"])(
  "text without a word is ignored and does no harm: %j",
  async (query) => {
    await say("harmless");
    expect(await search(query)).toEqual([]);
  },
);

test("words that are too many, or too long, are cut", async () => {
  const id = await say("quinoa ".repeat(40));
  expect(await search("quinoa ".repeat(500))).toEqual([id]);
  expect(await search(`${"x".repeat(1900)} quinoa`)).toEqual([]);
  await say("y".repeat(5000));
  await index();
});

describe("search finds only what the searcher may read:", () => {
  test("not private channels and not others' direct messages", async () => {
    const secret = await say("the saffron is hidden", { to: vault.id, topic: "saffron" });
    const direct = await say("saffron for you", {
      type: "direct",
      to: [harness.user("elin").id],
      topic: undefined,
    });
    expect(await search("saffron", { as: "elin" })).toEqual([secret, direct]);
    expect(await search("saffron")).toEqual([]);
    expect(await search("saffron", { as: "zed" })).toEqual([]);
    expect(await search("saffr")).toEqual([]);
  });

  test("not messages in a protected channel from before the subscription", async () => {
    const before = await say("fennel one", { to: vault.id });
    await harness.as("ada").post("/users/me/subscriptions", {
      subscriptions: [{ name: "vault" }],
      principals: [harness.user("ben").id],
    });
    const after = await say("fennel two", { to: vault.id });
    expect(await search("fennel", { as: "ben" })).toEqual([after]);
    expect(await search("fennel", { as: "elin" })).toEqual([before, after]);
  });

  test("without an account, only web-public channels", async () => {
    const square = await harness.channel("square", ["ada"], { isWebPublic: true });
    const id = await say("cumin in the open", { to: square.id });
    await say("cumin in the kitchen");
    const settings = { enable_spectator_access: true };
    expect((await harness.as("ada").patch("/realm", settings)).status).toBe(200);
    await index();
    const narrow = [
      ["channels", "web-public"],
      ["search", "cumin"],
    ];
    const { body } = await harness
      .nobody()
      .get("/messages", { anchor: "newest", num_before: 9, num_after: 0, narrow });
    expect(ids(body)).toEqual([id]);
  });

  test("not a message that moved where the searcher can't read it", async () => {
    const id = await say("turmeric", { topic: "spices" });
    expect(await search("turmeric")).toEqual([id]);
    const { status } = await harness.as("ada").patch(`/messages/${id}`, { stream_id: vault.id });
    expect(status).toBe(200);
    const narrow = [["search", "turmeric"]];
    const page = { anchor: "newest", num_before: 9, num_after: 0, narrow };
    expect(ids((await harness.as("dev").get("/messages", page)).body)).toEqual([]);
    expect(await search("turmeric")).toEqual([]);
    expect(await search("turmeric", { as: "elin", more: [["channel", "vault"]] })).toEqual([id]);
  });
});

describe("the index follows", () => {
  test("edits", async () => {
    const id = await say("before the edit: oregano");
    expect(await search("oregano")).toEqual([id]);
    await harness.as("ada").patch(`/messages/${id}`, { content: "after the edit: marjoram" });
    expect(await search("oregano")).toEqual([]);
    expect(await search("marjoram")).toEqual([id]);
  });

  test("moves of whole topics, and topics' new names", async () => {
    const moved = [await say("one", { topic: "chervil" }), await say("two", { topic: "chervil" })];
    expect(await search("chervil")).toEqual(moved);
    await harness.as("ada").patch(`/messages/${moved[0]}`, { topic: "lovage", propagate_mode: "change_all" });
    const found = await search("lovage");
    expect(found.filter((id) => moved.includes(id))).toEqual(moved);
    expect((await search("chervil")).filter((id) => moved.includes(id))).toEqual([]);
    const inTopic: Term[] = [
      ["channel", "kitchen"],
      ["topic", "lovage"],
    ];
    expect((await search("one", { more: inTopic })).filter((id) => moved.includes(id))).toEqual([moved[0]]);
  });

  test("deletions, at once and without a trace", async () => {
    const id = await say("borage");
    expect(await search("borage")).toEqual([id]);
    const rows = () =>
      harness.state.database.query(sql`
      select from search_words where organization_id = ${harness.state.organizationId} and message_id = ${id}`);
    expect(await rows()).toHaveLength(1);
    await harness.as("ada").delete(`/messages/${id}`);
    expect(await rows()).toHaveLength(0);
    await index();
    expect(await rows()).toHaveLength(0);
  });

  test("the log on several nodes, with one node at a time for each organization", async () => {
    const all = await Promise.all(Array.from({ length: 30 }, (_, n) => say(`sumac ${n}`)));
    const { database } = harness.services;
    await Promise.all(Array.from({ length: 6 }, () => followLog(database, [harness.state.organizationId])));
    expect(await search("sumac")).toEqual([...all].sort((a, b) => a - b));
  });

  test("messages that were sent before it started, in batches", async () => {
    const { organizationId, database } = harness.state;
    const id = await say("tarragon", { topic: "herbs" });
    await database.query(sql`
      with log as (
        update organization_logs set head = head + 2100 where organization_id = ${organizationId}
        returning head - 2100 as base
      )
      insert into messages (organization_id, id, recipient_id, topic_id, sender_id, client, sent_at, facts, content,
        rendered_content)
      select m.organization_id, log.base + n, m.recipient_id, m.topic_id, m.sender_id, m.client, m.sent_at, m.facts,
        m.content, m.rendered_content
      from log, messages m, generate_series(1, 2100) n
      where m.organization_id = ${organizationId} and m.id = ${id}`);
    await harness.state.catchUp();
    await database.query(sql`delete from search_cursors`);
    await database.query(sql`delete from search_words`);
    const { messages, found_oldest } = await find("tarragon", { page: { num_before: 2200 } });
    expect(messages).toHaveLength(2101);
    expect(found_oldest).toBe(true);
    const places: Term[][] = [
      [["channel", "kitchen"]],
      [
        ["channel", "kitchen"],
        ["topic", "herbs"],
      ],
      [["sender", "ada@demo.test"]],
    ];
    const last = await say("tarragon once more", { topic: "herbs" });
    for (const more of places) {
      expect(await search("tarragon", { more, page: { num_before: 3 } })).toEqual([last - 2, last - 1, last]);
      expect(await search("once more", { more })).toEqual([last]);
    }
    expect(await search("tarragon", { more: [["sender", "dev@demo.test"]] })).toEqual([]);
  });

  test("the log by itself while a node runs", async () => {
    const errors: unknown[] = [];
    const follower = new SearchFollower(harness.services, (error) => errors.push(error));
    follower.start();
    try {
      const id = await say("asafoetida");
      const narrow = [["search", "asafoetida"]];
      const page = { anchor: "newest", num_before: 9, num_after: 0, narrow };
      const found = async () => ids((await harness.as("dev").get("/messages", page)).body);
      await expect.poll(found).toEqual([id]);
    } finally {
      await follower.stop();
    }
    expect(errors).toEqual([]);
  });

  test("other organizations while one fails", async () => {
    const { database } = harness.services;
    const isIndexed = async ({ organizationId }: Harness["state"], id: number) => {
      const row = sql`select from search_words where organization_id = ${organizationId} and message_id = ${id}`;
      return (await database.query(row)).length > 0;
    };
    const run = (text: string) => database.transaction(({ client }) => client.query(text));
    await run(`
      create function refuse() returns trigger language plpgsql as 'begin raise exception ''no room''; end';
      create trigger refusal before insert on search_words for each row
        when (new.organization_id = ${harness.state.organizationId}) execute function refuse()`);
    const here = await say("sorrel");
    const there = (
      await harness
        .as("zed")
        .post("/messages", { type: "direct", to: [harness.user("zed").id], content: "x" })
    ).body.id as number;
    const errors: unknown[] = [];
    const follower = new SearchFollower(harness.services, (error) => errors.push(error));
    follower.start();
    await expect.poll(() => isIndexed(harness.otherState, there)).toBe(true);
    await follower.stop();
    expect(new Set(errors.map(String))).toEqual(new Set(["error: no room"]));
    expect(await isIndexed(harness.state, here)).toBe(false);
    await run("drop function refuse() cascade");
    expect(await search("sorrel")).toEqual([here]);
  });
});
