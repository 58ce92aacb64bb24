import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type CastName, createHarness, type Harness } from "../../test/harness/harness.ts";
import type { Channel } from "../channels/channel.ts";
import { subscribe, unsubscribe } from "../channels/subscriptions/subscribe.ts";
import { runStateChange } from "../platform/log/change.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness?.close());

async function say(name: CastName, to: string, content = "Hm."): Promise<number> {
  const { body } = await harness.as(name).post("/messages", { type: "channel", to, topic: "talk", content });
  return body.id;
}

const change = (verb: typeof subscribe, channel: Channel, name: CastName) =>
  runStateChange(harness.state, async (tx) => {
    await verb(tx, [channel], [harness.user(name).user]);
  });

const statusOf = async (name: CastName, id: number) => (await harness.as(name).get(`/messages/${id}`)).status;

async function listed(name: CastName, narrow: unknown[] = []): Promise<number[]> {
  const { body } = await harness
    .as(name)
    .get("/messages", { anchor: "newest", num_before: 100, num_after: 0, narrow });
  return (body.messages ?? []).map(({ id }: { id: number }) => id);
}

test("a user who left a private channel can read nothing in it, not even messages they received", async () => {
  const channel = await harness.channel("attic", ["ada", "dev"], { isPrivate: true });
  const id = await say("ada", "attic", "@**Dev Rao**");
  await harness.as("dev").post("/messages/flags", { messages: [id], op: "add", flag: "starred" });
  expect(await statusOf("dev", id)).toBe(200);
  expect(await listed("dev", [["is", "starred"]])).toEqual([id]);
  await change(unsubscribe, channel, "dev");
  expect(await statusOf("dev", id)).toBe(400);
  for (const narrow of [
    [],
    [["is", "starred"]],
    [["is", "mentioned"]],
    [["sender", "ada@demo.test"]],
    [["id", String(id)]],
  ]) {
    expect(await listed("dev", narrow), JSON.stringify(narrow)).not.toContain(id);
  }
  expect((await harness.as("dev").get("/messages", { message_ids: [id] })).body.messages).toEqual([]);
  expect((await harness.as("dev").get(`/users/me/${channel.id}/topics`)).status).toBe(400);
  const { body } = await harness
    .as("dev")
    .post("/register", { fetch_event_types: ["message", "update_message_flags", "starred_messages"] });
  expect(body.starred_messages).not.toContain(id);
  expect(body.unread_msgs.mentions).not.toContain(id);
});

test("a star is no longer reported once its message moves to a place that the user can't read", async () => {
  await harness.channel("pen", ["ada", "dev"]);
  const id = await say("ada", "pen");
  await harness.as("dev").post("/messages/flags", { messages: [id], op: "add", flag: "starred" });
  const starred = async () => (await harness.as("dev").post("/register", {})).body.starred_messages;
  expect(await starred()).toContain(id);
  const coop = await harness.channel("coop", ["ada"], { isPrivate: true, isHistoryShared: false });
  await change(subscribe, coop, "dev");
  expect((await harness.as("ada").patch(`/messages/${id}`, { stream_id: coop.id })).status).toBe(200);
  expect(await statusOf("dev", id)).toBe(400);
  expect(await starred()).not.toContain(id);
});

test("a narrow rejects a hidden private channel exactly like a channel that does not exist", async () => {
  await harness.channel("cellar", ["ada"], { isPrivate: true });
  const ask = async (operand: string) =>
    (
      await harness
        .as("dev")
        .get("/messages", { anchor: "newest", num_before: 1, num_after: 0, narrow: [["channel", operand]] })
    ).body;
  expect(await ask("cellar")).toMatchObject({ code: "BAD_NARROW", desc: "unknown channel cellar" });
  expect(await ask("nowhere")).toMatchObject({ code: "BAD_NARROW", desc: "unknown channel nowhere" });
  expect(
    (
      await harness
        .as("ada")
        .get("/messages", { anchor: "newest", num_before: 1, num_after: 0, narrow: [["channel", "cellar"]] })
    ).status,
  ).toBe(200);
});

test("an administrator outside a private channel can see that it exists and can't read it", async () => {
  await harness.channel("den", ["ada"], { isPrivate: true, isHistoryShared: true });
  const id = await say("ada", "den");
  expect(await listed("ben", [["channel", "den"]])).toEqual([]);
  expect(await statusOf("ben", id)).toBe(400);
});

test("a new subscriber of a private channel can't read earlier messages, unless its history is shared", async () => {
  const closed = await harness.channel("vault", ["ada"], { isPrivate: true });
  const shared = await harness.channel("library", ["ada"], { isPrivate: true, isHistoryShared: true });
  const [inClosed, inShared] = [await say("ada", "vault"), await say("ada", "library")];
  await change(subscribe, closed, "dev");
  await change(subscribe, shared, "dev");
  const later = await say("ada", "vault");
  expect(await listed("dev", [["channel", "vault"]])).toEqual([later]);
  expect(await statusOf("dev", inClosed)).toBe(400);
  expect(await listed("dev", [["channel", "library"]])).toEqual([inShared]);
});

test("a member can read a public channel's history without a subscription, and a guest needs one", async () => {
  const channel = await harness.channel("hall", ["ada"]);
  const id = await say("ada", "hall");
  expect(await listed("dev", [["channel", "hall"]])).toEqual([id]);
  expect(await listed("dev")).not.toContain(id);
  expect(await statusOf("gus", id)).toBe(400);
  await change(subscribe, channel, "gus");
  expect(await statusOf("gus", id)).toBe(200);
  await change(unsubscribe, channel, "gus");
  expect(await statusOf("gus", id)).toBe(400);
});

test("only the people of a direct message can read it", async () => {
  const { body } = await harness
    .as("dev")
    .post("/messages", { type: "direct", to: ["elin@demo.test"], content: "Psst." });
  expect(await statusOf("elin", body.id)).toBe(200);
  for (const name of ["ada", "gus", "echo"] as const) expect(await statusOf(name, body.id)).toBe(400);
  expect(await listed("ada", [["sender", "dev@demo.test"]])).not.toContain(body.id);
});

describe("another organization", () => {
  test("can't reach a message by its id", async () => {
    await harness.channel("porch", ["ada"]);
    const id = await say("ada", "porch");
    expect(await statusOf("ada", id)).toBe(200);
    expect(await statusOf("zed", id)).toBe(400);
    expect((await harness.as("zed").get("/messages", { message_ids: [id] })).body.messages).toEqual([]);
    expect(
      (await harness.as("zed").post("/messages/flags", { messages: [id], op: "add", flag: "starred" }))
        .status,
    ).toBe(400);
  });

  test("can't reach a channel or a person by an id", async () => {
    const channel = await harness.channel("yard", ["ada"]);
    const ask = (narrow: unknown[]) =>
      harness.as("zed").get("/messages", { anchor: "newest", num_before: 1, num_after: 0, narrow });
    expect((await ask([{ operator: "channel", operand: channel.id }])).body.code).toBe("BAD_NARROW");
    expect((await ask([{ operator: "sender", operand: harness.user("ada").id }])).body.code).toBe(
      "BAD_NARROW",
    );
    expect((await harness.as("zed").get(`/users/me/${channel.id}/topics`)).status).toBe(400);
    expect(
      (
        await harness
          .as("zed")
          .post("/messages", { type: "channel", to: channel.id, topic: "x", content: "y" })
      ).status,
    ).toBe(400);
  });
});

describe("a request for messages is refused", () => {
  const base = { anchor: "newest", num_before: 1, num_after: 0 };
  test.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    ["without an anchor", { anchor: undefined }, { msg: "Missing 'anchor' argument." }],
    ["with an anchor that is none", { anchor: "soon" }, { msg: "Invalid anchor" }],
    [
      "without num_before",
      { num_before: undefined },
      { code: "REQUEST_VARIABLE_MISSING", var_name: "num_before" },
    ],
    ["with a negative count", { num_after: -1 }, { code: "REQUEST_VARIABLE_INVALID", var_name: "num_after" }],
    [
      "with a count that is no number",
      { num_before: "abc" },
      { code: "REQUEST_VARIABLE_INVALID", bad_value: "abc" },
    ],
    [
      "for more than 5000",
      { num_before: 5000, num_after: 1 },
      { msg: "Too many messages requested (maximum 5000)." },
    ],
    ["without its anchor in the middle", { include_anchor: false, num_after: 1 }, { code: "BAD_REQUEST" }],
    ["with ids and an anchor", { message_ids: [1] }, { code: "BAD_REQUEST" }],
    [
      "with a narrow that is no list",
      { narrow: "channel" },
      { code: "REQUEST_VARIABLE_INVALID", var_name: "narrow" },
    ],
    [
      "with an unknown operator",
      { narrow: [["colour", "red"]] },
      { code: "BAD_NARROW", desc: "unknown operator colour" },
    ],
    ["with an unknown kind", { narrow: [["is", "blue"]] }, { code: "BAD_NARROW" }],
    ["with an unknown person", { narrow: [["sender", "x@y.z"]] }, { code: "BAD_NARROW" }],
    ["with an unknown person in a conversation", { narrow: [["dm", "x@y.z"]] }, { code: "BAD_NARROW" }],
    ["with an empty conversation", { narrow: [["dm", ""]] }, { code: "BAD_NARROW" }],
    [
      "for what is in a channel and direct",
      {
        narrow: [
          ["topic", "x"],
          ["is", "dm"],
        ],
      },
      { code: "BAD_NARROW" },
    ],
    ["with an id that is none", { narrow: [["id", "x"]] }, { code: "BAD_NARROW" }],
    ["with an operator that is no text", { narrow: [[1, 2]] }, { code: "BAD_NARROW" }],
    [
      "with the conversation of a message that is not there",
      { narrow: [["with", "999999"]] },
      { code: "BAD_NARROW" },
    ],
    [
      "with the conversations of two messages",
      {
        narrow: [
          ["channel", "stairs"],
          ["with", "1"],
          ["with", "2"],
        ],
      },
      { code: "BAD_NARROW", desc: "duplicate 'with' operators" },
    ],
    [
      "for what is not in a message's conversation",
      { narrow: [["channel", "stairs"], { operator: "with", operand: "1", negated: true }] },
      { code: "BAD_NARROW", desc: "'with' can't be negated" },
    ],
    ["with a list for a topic", { narrow: [{ operator: "topic", operand: ["x"] }] }, { code: "BAD_NARROW" }],
    [
      "with an object for a name",
      { narrow: [{ operator: "channel", operand: { a: 1 } }] },
      { code: "REQUEST_VARIABLE_INVALID" },
    ],
  ])("%s", async (_, params, error) => {
    const { status, body } = await harness.as("dev").get("/messages", { ...base, ...params });
    expect(status).toBe(400);
    expect(body).toMatchObject(error);
  });

  test.each(["0", "-1", "99999999999999999999", "1e3", "abc", "%00"])(
    "for a single message with the id '%s'",
    async (id) => {
      expect((await harness.as("dev").get(`/messages/${id}`)).status).toBe(400);
    },
  );
});

describe("the operator `with`", () => {
  test("stands for the conversation that the message is in", async () => {
    await harness.channel("stairs", ["ada", "dev"]);
    const ids = [await say("ada", "stairs"), await say("dev", "stairs")];
    await harness
      .as("ada")
      .post("/messages", { type: "channel", to: "stairs", topic: "other", content: "x" });
    expect(await listed("dev", [["with", String(ids[0])]])).toEqual(ids);
    expect(
      await listed("dev", [
        ["channel", "nowhere"],
        ["with", String(ids[0])],
      ]),
    ).toEqual(ids);
    const { body } = await harness
      .as("ada")
      .post("/messages", { type: "direct", to: ["dev@demo.test"], content: "x" });
    expect(await listed("dev", [["with", String(body.id)]])).toEqual([body.id]);
  });

  test("leaves the rest of the narrow as it is when the message can't be read", async () => {
    const id = await say("ada", "stairs", "again");
    expect(
      await listed("dev", [
        ["channel", "stairs"],
        ["topic", "talk"],
        ["with", "999999"],
      ]),
    ).toContain(id);
  });
});

test("`is:mentioned` finds mentions by name, with everyone, and by a group of the reader's", async () => {
  await harness.channel("roof", ["ada", "dev"]);
  const ids = [await say("ada", "roof", "@**Dev Rao**"), await say("ada", "roof", "@**all**")];
  await say("ada", "roof", "@**Ada Osei**");
  expect(
    await listed("dev", [
      ["channel", "roof"],
      ["is", "mentioned"],
    ]),
  ).toEqual(ids);
  expect(
    await listed("dev", [
      ["channel", "roof"],
      { operator: "is", operand: "mentioned", negated: true },
    ] as unknown[]),
  ).toHaveLength(1);
});

test("the empty topic is shown by its display name unless the client can show an empty one", async () => {
  const channel = await harness.channel("garage", ["ada"]);
  const { body } = await harness
    .as("ada")
    .post("/messages", { type: "channel", to: "garage", topic: "", content: "x" });
  for (const [allow, name] of [
    [true, ""],
    [false, "general chat"],
  ] as const) {
    const params = { allow_empty_topic_name: allow };
    expect((await harness.as("ada").get(`/messages/${body.id}`, params)).body.message.subject).toBe(name);
    expect((await harness.as("ada").get(`/users/me/${channel.id}/topics`, params)).body.topics[0].name).toBe(
      name,
    );
  }
});

test("if nothing is unread, the first unread message is the number that stands for the newest", async () => {
  await harness.channel("loft", ["cleo"]);
  const { body: sent } = await harness
    .as("cleo")
    .post("/messages", { type: "channel", to: "loft", topic: "x", content: "y", read_by_sender: true });
  // A terminal client sends this: the older flag overrides the anchor beside it.
  const params = { anchor: "0", use_first_unread_anchor: true, num_before: 30, num_after: 10, narrow: [] };
  const { body } = await harness.as("cleo").get("/messages", params);
  expect(body).toMatchObject({ anchor: 10000000000000000, found_newest: true, found_anchor: false });
  expect(body.messages.at(-1).id).toBe(sent.id);
});

test("content is returned as HTML or as Markdown", async () => {
  await harness.channel("shed", ["ada"]);
  const id = await say("ada", "shed", "*so*");
  expect((await harness.as("ada").get(`/messages/${id}`)).body).toMatchObject({
    message: { content: "<p><em>so</em></p>", content_type: "text/html" },
    raw_content: "*so*",
  });
  const raw = await harness.as("ada").get(`/messages/${id}`, { apply_markdown: false });
  expect(raw.body.message).toMatchObject({ content: "*so*", content_type: "text/x-markdown" });
});

test("listings leave out an avatar URL that follows from an email, unless the client asks for it", async () => {
  await harness.as("ada").patch("/realm", { default_avatar_source: "G" });
  await harness.channel("attic room", ["ada"]);
  const id = await say("ada", "attic room");
  const page = { anchor: id, num_before: 0, num_after: 0, narrow: [["channel", "attic room"]] };
  const pictureIn = async (params: object) =>
    (await harness.as("ada").get("/messages", { ...page, ...params })).body.messages[0].avatar_url;
  expect(await pictureIn({})).toBeNull();
  expect(await pictureIn({ client_gravatar: false })).toEqual(expect.any(String));
  expect((await harness.as("ada").get(`/messages/${id}`)).body.message.avatar_url).toEqual(
    expect.any(String),
  );
  await harness.as("ada").patch("/realm", { default_avatar_source: "J" });
});
