import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type CastName, createHarness, type Harness } from "../../../test/harness/harness.ts";
import { sql } from "../../platform/db/sql.ts";

let harness: Harness;
let kitchen: Awaited<ReturnType<Harness["channel"]>>;
beforeAll(async () => {
  harness = await createHarness();
  kitchen = await harness.channel("kitchen", ["ada", "dev"]);
});
afterAll(() => harness?.close());

async function say(name: CastName, params: Record<string, unknown> = {}): Promise<number> {
  const message = { type: "channel", to: "kitchen", topic: "lunch", content: "Soup?", ...params };
  return (await harness.as(name).post("/messages", message)).body.id;
}

function change(name: CastName, params: Record<string, unknown>) {
  return harness.as(name).post("/messages/flags/narrow", {
    anchor: "oldest",
    num_before: 0,
    num_after: 5000,
    narrow: [{ operator: "channel", operand: "kitchen" }],
    op: "add",
    flag: "starred",
    ...params,
  });
}

const flagsOf = async (name: CastName, id: number) =>
  (await harness.as(name).get(`/messages/${id}`)).body.message.flags;

async function unreadCountOf(name: CastName): Promise<number> {
  const { body } = await harness
    .as(name)
    .post("/register", { fetch_event_types: ["message", "update_message_flags"] });
  return body.unread_msgs.count;
}

/** A new topic, with messages that ada sent to it. */
async function talk(topic: string, count: number) {
  const ids: number[] = [];
  for (let n = 0; n < count; n++) ids.push(await say("ada", { topic }));
  const narrow = [
    { operator: "channel", operand: "kitchen" },
    { operator: "topic", operand: topic },
  ];
  return { ids: ids as [number, number, number, number], narrow };
}

describe("changing a flag on the messages that match a narrow", () => {
  test("returns which messages were processed, how many changed, and whether the ends were reached", async () => {
    const { ids, narrow } = await talk("steps", 4);
    await change("dev", { narrow, anchor: ids[1], num_after: 0 });
    expect((await change("dev", { narrow, anchor: ids[0], num_before: 1, num_after: 2 })).body).toMatchObject(
      {
        processed_count: 3,
        updated_count: 2,
        first_processed_id: ids[0],
        last_processed_id: ids[2],
        found_oldest: true,
        found_newest: false,
        ignored_because_not_subscribed_channels: [],
      },
    );
    expect((await change("dev", { narrow, anchor: ids[2], include_anchor: false })).body).toMatchObject({
      processed_count: 1,
      first_processed_id: ids[3],
      found_newest: true,
    });
    for (const id of ids) expect(await flagsOf("dev", id)).toEqual(["starred"]);
  });

  test("names no message if nothing matches", async () => {
    const { body } = await change("dev", { narrow: [{ operator: "sender", operand: "elin@demo.test" }] });
    expect(body).toMatchObject({
      processed_count: 0,
      updated_count: 0,
      first_processed_id: null,
      last_processed_id: null,
      found_oldest: true,
      found_newest: true,
    });
  });

  test("does not change messages that the user can't read", async () => {
    const leads = await harness.channel("leads", ["ada"], { isPrivate: true });
    const id = await say("ada", { to: leads.id });
    const { body } = await change("dev", { narrow: [{ operator: "id", operand: id }] });
    expect(body.processed_count).toBe(0);
    const named = await change("dev", { narrow: [{ operator: "channel", operand: leads.id }] });
    expect(named.body.code).toBe("BAD_NARROW");
  });

  test("leaves messages read in a channel that the user is not subscribed to, and names the channel", async () => {
    const { ids, narrow } = await talk("elsewhere", 1);
    const { body } = await change("elin", { narrow, op: "remove", flag: "read" });
    expect(body).toMatchObject({
      processed_count: 1,
      updated_count: 0,
      ignored_because_not_subscribed_channels: [kitchen.id],
    });
    expect(await flagsOf("elin", ids[0])).toEqual(["read", "historical"]);
  });

  test("changes at most 5000 messages, and asking for more is not an error", async () => {
    const { organizationId, database } = harness.state;
    const { ids, narrow } = await talk("long", 1);
    await database.query(sql`
      with log as (
        update organization_logs set head = head + 5200 where organization_id = ${organizationId}
        returning head - 5200 as base
      )
      insert into messages (organization_id, id, recipient_id, topic_id, sender_id, client, sent_at, facts, content,
        rendered_content)
      select m.organization_id, log.base + n, m.recipient_id, m.topic_id, m.sender_id, m.client, m.sent_at, m.facts,
        m.content, m.rendered_content
      from log, messages m, generate_series(1, 5200) n
      where m.organization_id = ${organizationId} and m.id = ${ids[0]}`);
    await harness.state.catchUp();
    const before = await unreadCountOf("dev");
    const first = (await change("dev", { narrow, num_after: 1_000_000, flag: "read" })).body;
    expect(first).toMatchObject({ processed_count: 5000, updated_count: 5000, found_newest: false });
    const rest = { narrow, anchor: first.last_processed_id, include_anchor: false, flag: "read" };
    expect((await change("dev", rest)).body).toMatchObject({ processed_count: 201, found_newest: true });
    expect(await unreadCountOf("dev")).toBe(before - 5201);
    await change("dev", { narrow, op: "remove", flag: "read" });
    const topic = { stream_id: kitchen.id, topic_name: "long" };
    expect((await harness.as("dev").post("/mark_topic_as_read", topic)).status).toBe(200);
    expect(await unreadCountOf("dev")).toBe(before - 5201);
  });

  test.each([
    [{ flag: "shiny" }, "Invalid flag: 'shiny'"],
    [{ flag: "mentioned" }, "Flag not editable: 'mentioned'"],
    [{ op: "toggle" }, "Invalid message flag operation: 'toggle'"],
    [{ anchor: "middle" }, "Invalid anchor"],
    [{ anchor: "date", anchor_date: "soon" }, "Invalid anchor date"],
    [
      { anchor: "5", include_anchor: false, num_before: 1 },
      "The anchor can only be excluded at an end of the range",
    ],
  ])("is refused for %j", async (params, msg) => {
    expect((await change("dev", params)).body).toMatchObject({ code: "BAD_REQUEST", msg });
  });
});

describe("marking as read", () => {
  const mark = (name: CastName, path: string, params: Record<string, unknown> = {}) =>
    harness.as(name).post(path, params);

  test("everything leaves nothing unread, not even a message from before the subscription that was marked as unread", async () => {
    await say("ada");
    await harness.as("ada").post("/messages", { type: "direct", to: ["dev@demo.test"], content: "x" });
    await change("dev", { op: "remove", flag: "read" });
    expect(await unreadCountOf("dev")).toBeGreaterThan(0);
    expect((await mark("dev", "/mark_all_as_read")).body.complete).toBe(true);
    expect(await unreadCountOf("dev")).toBe(0);
  });

  test("a topic leaves the channel's other topics unread, and a channel leaves other channels unread", async () => {
    const hall = await harness.channel("hall", ["ada", "dev"]);
    const [soup, tea, far] = [
      await say("ada", { topic: "soup" }),
      await say("ada", { topic: "tea" }),
      await say("ada", { to: hall.id }),
    ];
    await mark("dev", "/mark_topic_as_read", { stream_id: kitchen.id, topic_name: "Soup" });
    expect(await Promise.all([soup, tea, far].map((id) => flagsOf("dev", id)))).toEqual([["read"], [], []]);
    await mark("dev", "/mark_stream_as_read", { stream_id: kitchen.id });
    expect(await Promise.all([soup, tea, far].map((id) => flagsOf("dev", id)))).toEqual([
      ["read"],
      ["read"],
      [],
    ]);
  });

  test("a topic in which the user can read nothing is refused like a topic that does not exist", async () => {
    const vault = await harness.channel("vault", ["ada"], { isPrivate: true });
    await say("ada", { to: vault.id, topic: "secret" });
    const params = { stream_id: vault.id, topic_name: "secret" };
    expect((await mark("dev", "/mark_topic_as_read", params)).body.msg).toBe("Invalid channel ID");
    expect((await mark("dev", "/mark_stream_as_read", params)).body.msg).toBe("Invalid channel ID");
    await harness.as("ada").post("/users/me/subscriptions", {
      subscriptions: [{ name: "vault" }],
      principals: [harness.user("dev").id],
    });
    const refusal = (await mark("dev", "/mark_topic_as_read", params)).body;
    expect(refusal).toMatchObject({ code: "BAD_REQUEST", msg: "No such topic 'secret'" });
    const nothing = { ...params, topic_name: "nothing" };
    expect((await mark("dev", "/mark_topic_as_read", nothing)).body.msg).toBe("No such topic 'nothing'");
    expect((await mark("ada", "/mark_topic_as_read", params)).status).toBe(200);
  });
});
