import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type CastName, createHarness, type Harness } from "../../../test/harness/harness.ts";
import { queuesOf } from "../../platform/queues/organization-queues.ts";
import { type Channel, channels } from "../channel.ts";

let harness: Harness;
let count = 0;
let fresh = "";
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());
beforeEach(() => {
  fresh = `channel ${++count}`;
});

const archive = (name: CastName, id: number) => harness.as(name).delete(`/streams/${id}`);
const change = (name: CastName, id: number, params: Record<string, unknown>) =>
  harness.as(name).patch(`/streams/${id}`, params);
const bring = (name: CastName, id: number) => change(name, id, { is_archived: false });
const now = (id: number) => harness.state.get(channels).find(id) as Channel;
const say = (name: CastName, to: number) =>
  harness.as(name).post("/messages", { type: "channel", to, topic: "lunch", content: "Soup today?" });
const ids = (rows: { stream_id: number }[]) => rows.map(({ stream_id }) => stream_id);

describe("archiving a channel", () => {
  test("is for administrators of the organization and of the channel", async () => {
    const groupSettings = {
      can_administer_channel_group: { direct_members: [harness.user("dev").id], direct_subgroups: [] },
    };
    const { id } = await harness.channel(fresh, ["dev", "elin", "gus"], { groupSettings });
    for (const name of ["cleo", "elin", "gus"] as const) {
      for (const answer of [await archive(name, id), await bring(name, id)]) {
        expect([answer.status, answer.body.code]).toEqual([400, "CANNOT_ADMINISTER_CHANNEL"]);
      }
    }
    expect((await archive("dev", id)).status).toBe(200);
    expect((await bring("dev", id)).status).toBe(200);
    expect((await archive("ben", id)).status).toBe(200);
    expect(now(id).isArchived).toBe(true);
  });

  test("is refused for a channel that the caller may not know of, as if it did not exist", async () => {
    const { id } = await harness.channel(fresh, ["ada"], { isPrivate: true });
    for (const name of ["dev", "zed"] as const) {
      expect((await archive(name, id)).body.msg).toBe("Invalid channel ID");
    }
    expect((await archive("ben", id)).status).toBe(200);
  });

  test("is done only by DELETE, and only once", async () => {
    const { id } = await harness.channel(fresh, ["ada"]);
    expect((await change("ada", id, { is_archived: true })).status).toBe(400);
    expect((await bring("ada", id)).status).toBe(400);
    expect((await archive("ada", id)).status).toBe(200);
    const again = await archive("ada", id);
    expect([again.status, again.body.code]).toEqual([400, "BAD_REQUEST"]);
    expect((await bring("ada", id)).status).toBe(200);
    expect(now(id).isArchived).toBe(false);
  });

  test("refuses new messages to it until it is unarchived", async () => {
    const { id } = await harness.channel(fresh, ["dev"]);
    await archive("ada", id);
    const refused = await say("dev", id);
    expect([refused.status, refused.body.msg]).toEqual([400, `Not authorized to send to channel '${fresh}'`]);
    await bring("ada", id);
    expect((await say("dev", id)).status).toBe(200);
  });

  test("lets everyone who may join it still join", async () => {
    const { id } = await harness.channel(fresh, ["dev"]);
    const { id: hidden } = await harness.channel(`${fresh} b`, ["ada"], { isPrivate: true });
    for (const each of [id, hidden]) await archive("ada", each);
    const join = (name: string) =>
      harness.as("elin").post("/users/me/subscriptions", { subscriptions: [{ name }] });
    expect((await join(fresh)).body.subscribed).toEqual({ [harness.user("elin").id]: [fresh] });
    expect((await join(`${fresh} b`)).status).toBe(400);
    expect((await harness.as("elin").get(`/streams/${id}/members`)).body.subscribers).toContain(
      harness.user("elin").id,
    );
    expect((await say("elin", id)).status).toBe(400);
    await bring("ada", id);
    expect((await say("elin", id)).status).toBe(200);
  });

  test("leaves its messages and topics readable, and marks its messages as read", async () => {
    const { id } = await harness.channel(fresh, ["dev", "elin"]);
    const { body: sent } = await say("dev", id);
    const flags = async (name: CastName) =>
      (await harness.as(name).get(`/messages/${sent.id}`)).body.message.flags;
    expect(await flags("elin")).toEqual([]);
    await archive("ada", id);
    expect(await flags("elin")).toEqual(["read"]);
    const { body: topics } = await harness.as("elin").get(`/users/me/${id}/topics`);
    expect(topics.topics.map(({ name }: { name: string }) => name)).toContain("lunch");
    await bring("ada", id);
    expect(await flags("elin")).toEqual(["read"]);
    const { body: next } = await say("dev", id);
    const { body } = await harness.as("elin").get(`/messages/${next.id}`);
    expect(body.message.flags).toEqual([]);
  });

  test("lets none of its messages be marked as unread", async () => {
    const { id } = await harness.channel(fresh, ["dev", "elin"]);
    const { body: sent } = await say("dev", id);
    await archive("ada", id);
    const params = { messages: [sent.id], op: "remove", flag: "read" };
    const { body } = await harness.as("elin").post("/messages/flags", params);
    expect(body).toMatchObject({ messages: [], ignored_because_not_subscribed_channels: [id] });
  });

  test("keeps its name in use", async () => {
    const { id } = await harness.channel(fresh, ["dev"]);
    await archive("ada", id);
    const params = { name: fresh.toUpperCase(), subscribers: [] };
    expect((await harness.as("ben").post("/channels/create", params)).body.code).toBe(
      "CHANNEL_ALREADY_EXISTS",
    );
    expect(now(id).name).toBe(fresh);
  });

  test("keeps subscriptions and personal settings for when it is unarchived", async () => {
    const { id } = await harness.channel(fresh, ["dev"]);
    await harness
      .as("dev")
      .post("/users/me/subscriptions", { subscriptions: [{ name: fresh, color: "#123456" }] });
    const record = async () => {
      const { body } = await harness.as("dev").get("/users/me/subscriptions");
      return body.subscriptions.find(({ stream_id }: { stream_id: number }) => stream_id === id);
    };
    const before = await record();
    await archive("ada", id);
    expect(await record()).toBeUndefined();
    await bring("ada", id);
    expect(await record()).toMatchObject({ color: before.color, subscriber_count: 1 });
  });

  test("keeps the organization's settings that name it", async () => {
    const { id } = await harness.channel(fresh, ["dev"]);
    const name = "new_stream_announcements_stream_id";
    await harness.as("ada").patch("/realm", { [name]: id });
    await archive("ada", id);
    const { body } = await harness.as("ada").post("/register", { fetch_event_types: ["realm"] });
    expect(body[`realm_${name}`]).toBe(id);
  });

  test("shows the channel to clients that ask for archived channels", async () => {
    const { id } = await harness.channel(fresh, ["dev"]);
    await archive("ada", id);
    const { body: listed } = await harness.as("dev").get("/streams");
    expect(ids(listed.streams)).not.toContain(id);
    const { body: all } = await harness.as("dev").get("/streams", { exclude_archived: false });
    expect(ids(all.streams)).toContain(id);
    const { body: one } = await harness.as("dev").get(`/streams/${id}`);
    expect(one.stream.is_archived).toBe(true);
    const register = async (archived_channels: boolean) => {
      const client_capabilities = { notification_settings_null: true, archived_channels };
      const { body } = await harness.as("dev").post("/register", { client_capabilities });
      return body;
    };
    const old = await register(false);
    for (const key of ["streams", "subscriptions", "unsubscribed", "never_subscribed"]) {
      expect(ids(old[key]), key).not.toContain(id);
    }
    const modern = await register(true);
    for (const key of ["streams", "subscriptions"]) expect(ids(modern[key]), key).toContain(id);
  });

  test("ends reading it without an account", async () => {
    await harness.as("ada").patch("/realm", { enable_spectator_access: true });
    const { id } = await harness.channel(fresh, ["dev"], { isWebPublic: true });
    await say("dev", id);
    const params = { anchor: "newest", num_before: 5, num_after: 0 };
    const narrow = [
      ["channels", "web-public"],
      ["channel", id],
    ];
    const read = async () => (await harness.nobody().get("/messages", { ...params, narrow })).body;
    expect((await read()).messages).toHaveLength(1);
    await archive("ada", id);
    expect((await read()).messages ?? []).toEqual([]);
  });
});

test("a queue replayed from the log gets the events on an archived channel that its client can handle", async () => {
  const { id } = await harness.channel(fresh, ["dev"]);
  const queues = await Promise.all(
    [true, false].map(async (archived_channels) => {
      const client_capabilities = { notification_settings_null: true, archived_channels };
      const { body } = await harness
        .as("dev")
        .post("/register", { event_types: ["stream"], client_capabilities });
      return body;
    }),
  );
  await archive("ada", id);
  const heard = await Promise.all(
    queues.map(async ({ queue_id, last_event_id }) => {
      const queue = queuesOf(harness.state).byId.get(queue_id);
      if (!queue) throw new Error("the queue is not in memory");
      queue.pending = [];
      queue.isCold = true;
      const { body } = await harness.as("dev").get("/events", { queue_id, last_event_id, dont_block: true });
      return body.events.map(({ op }: { op: string }) => op);
    }),
  );
  expect(heard).toEqual([["update"], ["delete"]]);
});
