import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { ChannelId, UserId } from "../../../api/ids.ts";
import { expectSuccess, sayIn } from "../../../test/harness/answers.ts";
import { eventNames, followAll } from "../../../test/harness/follow.ts";
import { type CastName, createHarness, type Harness } from "../../../test/harness/harness.ts";
import { listen } from "../../../test/harness/listener.ts";
import { type Channel, channels } from "../../channels/channel.ts";
import { unsubscribe } from "../../channels/subscriptions/subscribe.ts";
import { runStateChange } from "../../platform/log/change.ts";
import { announcedLimit } from "./left-channels.ts";
import { findLeftUnread } from "./ranges.ts";

let harness: Harness;
let count = 0;
let place = "";
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());
beforeEach(async () => {
  place = `place ${++count}`;
  await harness.channel(place, ["ada", "dev", "elin", "gus"]);
});

const say = sayIn(() => harness);
const ids = (...people: CastName[]) => people.map((name) => harness.user(name).id);
const mark = (name: CastName, messages: number[], op: string) =>
  expectSuccess(harness.as(name).post("/messages/flags", { messages, op, flag: "read" }));
const leave = (...people: CastName[]) =>
  expectSuccess(
    harness
      .as("ada")
      .delete("/users/me/subscriptions", { subscriptions: [place], principals: ids(...people) }),
  );
const come = (...people: CastName[]) =>
  expectSuccess(
    harness
      .as("ada")
      .post("/users/me/subscriptions", { subscriptions: [{ name: place }], principals: ids(...people) }),
  );

async function unreadOf(name: CastName): Promise<number[]> {
  const types = ["message", "update_message_flags"];
  const { unread_msgs } = await expectSuccess(
    harness.as(name).post("/register", { fetch_event_types: types }),
  );
  return unread_msgs.streams.flatMap((each: { unread_message_ids: number[] }) => each.unread_message_ids);
}

const readEvent = (messages: number[]) => ({
  type: "update_message_flags",
  op: "add",
  operation: "add",
  flag: "read",
  messages,
  all: false,
});
const types = ["subscription", "update_message_flags"];

test("clients get an event on the messages that became read when their user leaves a channel", async () => {
  const unread = [await say("ada", place), await say("gus", place)];
  await mark("elin", [await say("ada", place)], "add");
  await say("elin", place, { read_by_sender: true });
  const elin = await listen(harness.as("elin"), { event_types: types });
  await expectSuccess(harness.as("elin").delete("/users/me/subscriptions", { subscriptions: [place] }));
  expect(await elin.heard()).toEqual([
    expect.objectContaining({ type: "subscription", op: "remove" }),
    readEvent(unread),
  ]);
});

test("when several people leave together, each gets an event on their own unread messages, if any", async () => {
  await expectSuccess(harness.as("dev").post(`/users/me/muted_users/${harness.user("elin").id}`));
  const first = await say("ada", place);
  const muted = await say("elin", place, { read_by_sender: true });
  const last = await say("ada", place);
  await mark("elin", [first], "add");
  await mark("gus", [first, muted, last], "add");
  const people = ["dev", "elin", "gus"] as const;
  const types = ["update_message_flags"];
  const clients = await Promise.all(people.map((name) => listen(harness.as(name), { event_types: types })));
  await leave(...people);
  const [dev, elin, gus] = await Promise.all(clients.map((client) => client.heard()));
  expect(dev).toEqual([readEvent([first, last])]);
  expect(elin).toEqual([readEvent([last])]);
  expect(gus).toEqual([]);
});

test("when very many people leave at once, each gets an event on the newest messages only", async () => {
  const { user } = harness.user("elin");
  const old = await say("ada", place);
  const [id, newest] = [await say("ada", place), await say("ada", place)];
  const channel = harness.state.get(channels).findByName(place) as Channel;
  await mark("elin", [id], "add");
  const told = await runStateChange(harness.state, async (tx) => {
    await unsubscribe(tx, [channel], [user]);
    const among = async (others: number) => {
      const userIds = [user.id, ...Array.from({ length: others }, (_, n) => (1_000_000 + n) as UserId)];
      const limit = announcedLimit(userIds.length);
      const left = {
        channelId: channel.id as ChannelId,
        userIds,
        positionRef: await tx.positionRef(),
        limit,
      };
      const groups = await findLeftUnread(tx, left);
      return groups.flatMap(({ messageIds }) => messageIds);
    };
    return [await among(0), await among(999), await among(99_999)];
  });
  expect(told).toEqual([[old, newest], [old, newest], [newest]]);
});

describe("after leaving a channel and coming back", () => {
  test("a message that was marked as unread by hand stays read", async () => {
    const id = await say("ada", place);
    await mark("elin", [id], "add");
    await leave("elin");
    await come("elin");
    await mark("elin", [id], "remove");
    expect(await unreadOf("elin")).toContain(id);
    const heard = await followAll(harness, ["elin", "ada"], async () => {
      await leave("elin");
      await come("elin");
    });
    expect(heard.elin?.find(({ type }) => type === "update_message_flags")).toMatchObject(readEvent([id]));
    expect(eventNames(heard.ada)).not.toContain("update_message_flags/add");
    expect(await unreadOf("elin")).not.toContain(id);
  });

  test("a message that had moved in from another channel as unread stays read", async () => {
    const from = await harness.channel(`${place} b`, ["ada", "elin"]);
    const id = await say("ada", from.name);
    const to = (await expectSuccess(harness.as("ada").get("/get_stream_id", { stream: place }))).stream_id;
    await expectSuccess(harness.as("ada").patch(`/messages/${id}`, { stream_id: to }));
    expect(await unreadOf("elin")).toContain(id);
    await followAll(harness, ["elin"], async () => {
      await leave("elin");
      await come("elin");
    });
    expect(await unreadOf("elin")).not.toContain(id);
  });

  test("a message that was marked as unread stays read, if the channel was archived when it was left", async () => {
    const { stream_id } = await expectSuccess(harness.as("ada").get("/get_stream_id", { stream: place }));
    await leave("elin");
    const id = await say("ada", place);
    await come("elin");
    await mark("elin", [id], "remove");
    await expectSuccess(harness.as("ada").delete(`/streams/${stream_id}`));
    await expectSuccess(harness.as("elin").delete("/users/me/subscriptions", { subscriptions: [place] }));
    await expectSuccess(harness.as("ada").patch(`/streams/${stream_id}`, { is_archived: false }));
    await come("elin");
    expect(await unreadOf("elin")).not.toContain(id);
  });
});

test("a mention of everyone from before a channel was unarchived still counts when it is marked as unread", async () => {
  const { stream_id } = await expectSuccess(harness.as("ada").get("/get_stream_id", { stream: place }));
  const id = await say("ada", place, { content: "@**all** soup" });
  await expectSuccess(harness.as("ada").delete(`/streams/${stream_id}`));
  await expectSuccess(harness.as("ada").patch(`/streams/${stream_id}`, { is_archived: false }));
  expect(await unreadOf("elin")).not.toContain(id);
  await followAll(harness, ["elin"], () => mark("elin", [id], "remove"));
  const { unread_msgs } = await expectSuccess(
    harness.as("elin").post("/register", { fetch_event_types: ["message", "update_message_flags"] }),
  );
  expect(unread_msgs.mentions).toEqual([id]);
});
