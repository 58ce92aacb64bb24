import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type CastName, createHarness, type Harness } from "../../../test/harness/harness.ts";
import { listen } from "../../../test/harness/listener.ts";
import { subscribe, unsubscribe } from "../../channels/subscriptions/subscribe.ts";
import { sql } from "../../platform/db/sql.ts";
import { runStateChange } from "../../platform/log/change.ts";

let harness: Harness;
let kitchen: Awaited<ReturnType<Harness["channel"]>>;
beforeAll(async () => {
  harness = await createHarness();
  kitchen = await harness.channel("kitchen", ["ada", "dev", "elin"]);
});
afterAll(() => harness?.close());

async function say(name: CastName, params: Record<string, unknown> = {}): Promise<number> {
  const message = { type: "channel", to: "kitchen", topic: "lunch", content: "Soup?", ...params };
  return (await harness.as(name).post("/messages", message)).body.id;
}

const change = (name: CastName, messages: number[], op: string, flag: string) =>
  harness.as(name).post("/messages/flags", { messages, op, flag });

const flagsOf = async (name: CastName, id: number) =>
  (await harness.as(name).get(`/messages/${id}`)).body.message.flags;

async function unreadOf(name: CastName, capabilities = {}) {
  const { body } = await harness.as(name).post("/register", {
    fetch_event_types: ["message", "update_message_flags"],
    client_capabilities: { notification_settings_null: true, ...capabilities },
  });
  return body.unread_msgs;
}

test.each(["read", "starred", "collapsed"])(
  "the flag %s is set and cleared, and the user's other clients get events",
  async (flag) => {
    const id = await say("ada");
    const [here, there] = await Promise.all([
      listen(harness.as("dev"), { event_types: ["update_message_flags"] }),
      listen(harness.as("ada"), { event_types: ["update_message_flags"] }),
    ]);
    expect((await change("dev", [id], "add", flag)).body.messages).toEqual([id]);
    expect(await flagsOf("dev", id)).toEqual([flag]);
    expect(await here.heard()).toEqual([
      { type: "update_message_flags", op: "add", operation: "add", flag, messages: [id], all: false },
    ]);
    expect((await change("dev", [id], "remove", flag)).body.messages).toEqual([id]);
    expect(await flagsOf("dev", id)).toEqual([]);
    expect(await here.heard()).toMatchObject([
      { op: "remove", operation: "remove", flag, messages: [id], all: false },
    ]);
    expect(await there.heard()).toEqual([]);
  },
);

test("the response and the event name only the messages that change", async () => {
  const ids = [await say("ada"), await say("ada"), await say("ada")];
  await change("dev", [ids[1] as number], "add", "starred");
  const here = await listen(harness.as("dev"), { event_types: ["update_message_flags"] });
  expect((await change("dev", [...ids, ...ids], "add", "starred")).body.messages).toEqual([ids[0], ids[2]]);
  expect((await here.heard())[0].messages).toEqual([ids[0], ids[2]]);
  expect((await change("dev", ids, "add", "starred")).body.messages).toEqual([]);
  expect(await here.heard()).toEqual([]);
});

test("the flags of one message don't disturb each other", async () => {
  const id = await say("ada", { content: "@**Dev Rao**" });
  await change("dev", [id], "add", "starred");
  await change("dev", [id], "add", "collapsed");
  await change("dev", [id], "remove", "starred");
  expect(await flagsOf("dev", id)).toEqual(["collapsed", "mentioned"]);
});

describe("a change of flags is refused", () => {
  test.each([
    ["add", "shiny", "Invalid flag: 'shiny'"],
    ["add", "wildcard_mentioned", "Invalid flag: 'wildcard_mentioned'"],
    ["add", "mentioned", "Flag not editable: 'mentioned'"],
    ["remove", "historical", "Flag not editable: 'historical'"],
    ["remove", "has_alert_word", "Flag not editable: 'has_alert_word'"],
    ["add", "stream_wildcard_mentioned", "Flag not editable: 'stream_wildcard_mentioned'"],
    ["add", "topic_wildcard_mentioned", "Flag not editable: 'topic_wildcard_mentioned'"],
    ["add", "group_mentioned", "Flag not editable: 'group_mentioned'"],
    ["remove", "force_expand", "Flag not editable: 'force_expand'"],
    ["remove", "force_collapse", "Flag not editable: 'force_collapse'"],
    ["toggle", "read", "Invalid message flag operation: 'toggle'"],
  ])("for op %s and flag %s", async (op, flag, msg) => {
    expect((await change("dev", [await say("ada")], op, flag)).body).toMatchObject({
      code: "BAD_REQUEST",
      msg,
    });
  });

  test("as a whole when one message can't be read, except that marking as read ignores that message", async () => {
    const { body } = await harness
      .as("ada")
      .post("/messages", { type: "direct", to: ["elin@demo.test"], content: "x" });
    const id = await say("ada");
    for (const [op, flag] of [
      ["add", "starred"],
      ["remove", "starred"],
      ["add", "collapsed"],
      ["remove", "read"],
    ] as const) {
      expect((await change("dev", [id, body.id], op, flag)).body.msg, `${op} ${flag}`).toBe(
        "Invalid message(s)",
      );
    }
    expect(await flagsOf("dev", id)).toEqual([]);
    expect((await change("dev", [id, body.id, 999_999], "add", "read")).body.messages).toEqual([id]);
  });

  test("for more than 5000 messages", async () => {
    const many = Array.from({ length: 5001 }, (_, n) => n);
    expect((await change("dev", many, "add", "read")).body.msg).toBe(
      "Too many messages requested (maximum 5000).",
    );
    expect((await change("dev", many.slice(1), "add", "read")).status).toBe(200);
  });
});

describe("unread messages", () => {
  test("can't be made in a channel that the user is not subscribed to; the response names the channel", async () => {
    const hall = await harness.channel("hall", ["ada"]);
    const [outside, inside] = [await say("ada", { to: "hall" }), await say("ada")];
    await change("dev", [inside], "add", "read");
    const { body } = await change("dev", [outside, inside], "remove", "read");
    expect(body).toMatchObject({ messages: [inside], ignored_because_not_subscribed_channels: [hall.id] });
    expect(await flagsOf("dev", outside)).toEqual(["read", "historical"]);
  });

  test("are sent with their channel and topic or people, for clients that don't have them", async () => {
    const id = await say("ada", { topic: "", content: "@**Dev Rao**" });
    const others = ["ada@demo.test", "elin@demo.test"];
    const { body } = await harness
      .as("elin")
      .post("/messages", { type: "direct", to: [...others, "dev@demo.test"], content: "x" });
    await change("dev", [id, body.id], "add", "read");
    const [old, modern] = await Promise.all([
      listen(harness.as("dev"), { event_types: ["update_message_flags"] }),
      listen(harness.as("dev"), {
        event_types: ["update_message_flags"],
        client_capabilities: { empty_topic_name: true },
      }),
    ]);
    await change("dev", [id, body.id], "remove", "read");
    const details = (topic: string) => ({
      [id]: { type: "stream", stream_id: kitchen.id, topic, mentioned: true },
      [body.id]: { type: "private", user_ids: [harness.user("ada").id, harness.user("elin").id] },
    });
    expect((await old.heard())[0].message_details).toEqual(details("general chat"));
    expect((await modern.heard())[0].message_details).toEqual(details(""));
  });

  test("may be the user's own messages, also when sent by a program that displays messages", async () => {
    const id = await say("dev", { read_by_sender: true });
    expect((await change("dev", [id], "remove", "read")).body.messages).toEqual([id]);
    expect(await flagsOf("dev", id)).toEqual([]);
    expect((await unreadOf("dev")).streams.at(-1).unread_message_ids).toContain(id);
    await change("dev", [id], "add", "read");
    expect(await flagsOf("dev", id)).toEqual(["read"]);
  });

  test("from before a subscription exist only when marked as unread by hand, until they are marked as read again", async () => {
    const channel = await harness.channel("old", ["ada"]);
    const ids = [await say("ada", { to: "old" }), await say("ada", { to: "old" })];
    await runStateChange(harness.state, async (tx) => {
      await subscribe(tx, [channel], [harness.user("dev").user]);
    });
    expect(await flagsOf("dev", ids[0] as number)).toEqual(["read", "historical"]);
    expect((await change("dev", ids, "remove", "read")).body.messages).toEqual(ids);
    expect(await flagsOf("dev", ids[0] as number)).toEqual(["historical"]);
    const ofChannel = async () =>
      (await unreadOf("dev")).streams.find((each: { stream_id: number }) => each.stream_id === channel.id);
    expect((await ofChannel()).unread_message_ids).toEqual(ids);
    expect((await change("dev", ids, "add", "read")).body.messages).toEqual(ids);
    expect(await ofChannel()).toBeUndefined();
  });

  test("of a channel are read after the user leaves it, and stay read if they return", async () => {
    const channel = await harness.channel("brief", ["ada", "elin"]);
    const id = await say("ada", { to: "brief" });
    expect(await flagsOf("elin", id)).toEqual([]);
    for (const verb of [unsubscribe, subscribe]) {
      await runStateChange(harness.state, async (tx) => {
        await verb(tx, [channel], [harness.user("elin").user]);
      });
      expect(await flagsOf("elin", id)).toEqual(["read"]);
    }
  });
});

test("the snapshot sorts unread messages into channels, pairs, groups and mentions", async () => {
  const [cleo, gus, ben] = [harness.user("cleo").id, harness.user("gus").id, harness.user("ben").id];
  const direct = async (from: CastName, to: number[]) =>
    (await harness.as(from).post("/messages", { type: "direct", to, content: "x" })).body.id as number;
  const pair = [await direct("gus", [cleo]), await direct("gus", [cleo])];
  const own = await direct("cleo", [cleo]);
  const group = await direct("ben", [cleo, gus]);
  await harness.channel("studio", ["ada", "cleo"]);
  const mention = await say("ada", { to: "studio", topic: "", content: "@**Cleo Marsh**" });
  const everyone = await say("ada", { to: "studio", topic: "", content: "@**all**" });
  const studio = (await harness.as("cleo").get(`/messages/${mention}`)).body.message.stream_id;
  expect(await unreadOf("cleo")).toEqual({
    count: 6,
    pms: [
      { other_user_id: gus, sender_id: gus, unread_message_ids: pair },
      { other_user_id: cleo, sender_id: cleo, unread_message_ids: [own] },
    ],
    huddles: [{ user_ids_string: [ben, cleo, gus].join(), unread_message_ids: [group] }],
    streams: [{ stream_id: studio, topic: "general chat", unread_message_ids: [mention, everyone] }],
    mentions: [mention, everyone],
    old_unreads_missing: false,
  });
  expect((await unreadOf("cleo", { empty_topic_name: true })).streams[0].topic).toBe("");
});

test("a muted channel's messages are listed but not counted", async () => {
  const channel = await harness.channel("noise", ["ada", "echo"]);
  await say("ada", { to: "noise", content: "@**all**" });
  expect(await unreadOf("echo")).toMatchObject({ count: 1, mentions: [expect.any(Number)] });
  await harness.state.database.query(sql`
    insert into subscription_preferences (organization_id, user_id, channel_id, is_muted)
    values (${harness.state.organizationId}, ${harness.user("echo").id}, ${channel.id}, true)`);
  expect(await unreadOf("echo")).toMatchObject({
    count: 0,
    mentions: [],
    streams: [{ stream_id: channel.id }],
  });
});

test("the snapshot has unread messages only for clients that follow both messages and flags", async () => {
  for (const types of [["message"], ["update_message_flags"]]) {
    const { body } = await harness.as("dev").post("/register", { fetch_event_types: types });
    expect(body).not.toHaveProperty("unread_msgs");
  }
});

test("reading a whole conversation leaves one range, despite the reader's messages and other conversations in between", async () => {
  const ids: number[] = [];
  for (let n = 0; n < 12; n++) {
    const from = n % 3 === 0 ? "gus" : "ben";
    const other = from === "gus" ? "ben@demo.test" : "gus@demo.test";
    const params = { type: "direct", to: [other], content: "x", read_by_sender: true };
    ids.push((await harness.as(from).post("/messages", params)).body.id);
    await say("ada");
  }
  const shuffled = [...ids.slice(6), ...ids.slice(0, 6).reverse()];
  for (const id of shuffled) await change("gus", [id], "add", "read");
  const [row] = await harness.state.database.query<{ count: number }>(sql`
    select count(*) as count from read_states r, unnest(r.ranges) where user_id = ${harness.user("gus").id}`);
  expect(row?.count).toBe(1);
  const withBen = (await unreadOf("gus")).pms.filter(
    (each: { other_user_id: number }) => each.other_user_id === harness.user("ben").id,
  );
  expect(withBen).toEqual([]);
});

test("flags that are set at the same time are all kept", async () => {
  const ids = await Promise.all(Array.from({ length: 30 }, () => say("ada")));
  await Promise.all(ids.map((id) => change("elin", [id], "add", "read")));
  for (const id of ids) expect(await flagsOf("elin", id)).toEqual(["read"]);
});
