import { afterAll, beforeAll, expect, test } from "vitest";
import type { ChannelId, TopicId } from "../../../api/ids.ts";
import { expectSuccess, sayIn, showIn } from "../../../test/harness/answers.ts";
import { createHarness, type Harness } from "../../../test/harness/harness.ts";
import { listen } from "../../../test/harness/listener.ts";
import { type Channel, channels } from "../../channels/channel.ts";
import { changeState } from "../../people/viewer/change.ts";
import { sql } from "../../platform/db/sql.ts";
import { mergeTopics } from "./merge-topics.ts";

let harness: Harness;
let channelId: ChannelId;
beforeAll(async () => {
  harness = await createHarness();
  channelId = (await harness.channel("merging", ["ada", "dev", "elin"], { isPrivate: true })).id;
});
afterAll(() => harness.close());

const say = sayIn(() => harness);
const show = showIn(() => harness);

const merge = (name: string) => {
  const channel = harness.state.get(channels).byId.get(channelId) as Channel;
  return changeState(harness.user("ada").viewer, (tx) => mergeTopics(tx, channel, name));
};

/** Renames a topic as an older version could have named it. */
async function nameAsBefore(id: number, name: string): Promise<TopicId> {
  const { database, organizationId } = harness.state;
  const [row] = await database.query<{ id: TopicId }>(sql`
    update topics set name = ${name} where organization_id = ${organizationId}
      and id = (select topic_id from messages where organization_id = ${organizationId} and id = ${id})
    returning id`);
  return (row as { id: TopicId }).id;
}

async function found(topic: string): Promise<number[]> {
  const narrow = [
    { operator: "channel", operand: channelId },
    { operator: "topic", operand: topic },
  ];
  const params = { anchor: "newest", num_before: 50, num_after: 0, narrow };
  const { messages } = await expectSuccess(harness.as("dev").get("/messages", params));
  return messages.map((each: { id: number }) => each.id);
}

test("two older topics of one name are read as one, and new messages go to the older", async () => {
  const ids = [await say("ada", channelId, { topic: "thé" }), await say("ada", channelId, { topic: "twin" })];
  await nameAsBefore(ids[1] as number, "the\u0301");
  const id = await say("dev", channelId, { topic: "THE\u0301" });
  expect((await show("dev", id)).subject).toBe("thé");
  expect(await found("thé")).toEqual([...ids, id]);
  expect(await found("the\u0301")).toEqual([...ids, id]);
});

test("merging moves the messages, tells open clients, and keeps policies and what is read", async () => {
  const first = await say("ada", channelId, { topic: "café" });
  const second = await say("ada", channelId, { topic: "other" });
  const follow = { stream_id: channelId, topic: "other", visibility_policy: 3 };
  await expectSuccess(harness.as("elin").post("/user_topics", follow));
  await expectSuccess(
    harness.as("dev").post("/messages/flags", { messages: [second], op: "add", flag: "read" }),
  );
  await nameAsBefore(second, "cafe\u0301");
  const dev = await listen(harness.as("dev"));
  const ben = await listen(harness.as("ben"));
  expect(await merge("cafe\u0301")).toEqual({ topic: "café", topics: 1, messages: 1 });
  const events = await dev.heard();
  expect(events.map(({ type }) => type)).toEqual(["update_message"]);
  expect(events[0]).toMatchObject({ orig_subject: "cafe\u0301", subject: "café", message_ids: [second] });
  expect(await ben.heard()).toEqual([]);
  expect(await found("café")).toEqual([first, second]);
  expect((await show("dev", second)).subject).toBe("café");
  expect((await show("dev", second)).flags).toContain("read");
  expect((await show("elin", second)).flags).not.toContain("read");
  const { user_topics } = await expectSuccess(
    harness.as("elin").post("/register", { fetch_event_types: ["user_topic"] }),
  );
  expect(user_topics).toMatchObject([{ stream_id: channelId, topic_name: "café", visibility_policy: 3 }]);
  expect(await merge("café")).toEqual({ topic: "café", topics: 0, messages: 0 });
});

test("older topics that mean the topic without a name are merged with it", async () => {
  const id = await say("ada", channelId, { topic: "to be named" });
  await nameAsBefore(id, "General Chat");
  expect(await found("")).toEqual([id]);
  expect(await merge("General Chat")).toEqual({ topic: "", topics: 1, messages: 1 });
  expect((await show("dev", id)).subject).toBe("general chat");
});
