import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ChannelId } from "../../../api/ids.ts";
import { editIn, expectSuccess, refusal, sayIn, showIn } from "../../../test/harness/answers.ts";
import { createHarness, type Harness } from "../../../test/harness/harness.ts";

let harness: Harness;
let channelId: ChannelId;

beforeAll(async () => {
  harness = await createHarness();
  channelId = (await harness.channel("resolving", ["ada", "dev"])).id;
});
afterAll(() => harness.close());

const say = sayIn(() => harness);
const edit = editIn(() => harness);
const show = showIn(() => harness);
const rename = (id: number, topic: string) => edit("ada", id, { topic, propagate_mode: "change_all" });
const topicOf = async (id: number) => (await show("dev", id)).subject;

/** A name of this many characters, which has all but the last two in common with others. */
const nameOf = (length: number, ending: string) => `${"x".repeat(length - 2)}${ending}`.slice(-length);

describe("a topic that is resolved and reopened keeps its name", () => {
  test.each([56, 57, 58, 59, 60])("with %i characters", async (length) => {
    const name = nameOf(length, "yz");
    const id = await say("dev", channelId, { topic: name });
    await expectSuccess(rename(id, `✔ ${name}`));
    const resolved = await show("dev", id);
    expect(resolved.subject).toBe(`✔ ${name}`);
    expect(resolved).not.toHaveProperty("last_moved_timestamp");
    const muted = { stream_id: channelId, topic: `✔ ${name}`, visibility_policy: 1 };
    await expectSuccess(harness.as("dev").post("/user_topics", muted));
    await expectSuccess(rename(id, name));
    expect(await topicOf(id)).toBe(name);
  });

  test("with 60 characters of which one needs two units", async () => {
    const name = `🍲${"x".repeat(59)}`;
    const id = await say("dev", channelId, { topic: name });
    await expectSuccess(rename(id, `✔ ${name}`));
    expect(await topicOf(id)).toBe(`✔ ${name}`);
  });
});

test("two topics with long names that begin alike stay two when both are resolved", async () => {
  const [one, other] = [nameOf(60, "ab"), nameOf(60, "cd")];
  const ids = [await say("dev", channelId, { topic: one }), await say("dev", channelId, { topic: other })];
  await expectSuccess(rename(ids[0] as number, `✔ ${one}`));
  await expectSuccess(rename(ids[1] as number, `✔ ${other}`));
  expect(await Promise.all(ids.map(topicOf))).toEqual([`✔ ${one}`, `✔ ${other}`]);
});

test("a message to a resolved topic reaches it, however long its name is", async () => {
  const name = `✔ ${nameOf(60, "to")}`;
  const id = await say("dev", channelId, { topic: name });
  expect(await topicOf(id)).toBe(name);
  const narrow = [
    { operator: "channel", operand: channelId },
    { operator: "topic", operand: name },
  ];
  const { messages } = await expectSuccess(
    harness.as("dev").get("/messages", { anchor: "newest", num_before: 5, num_after: 0, narrow }),
  );
  expect(messages.map((each: { id: number }) => each.id)).toEqual([id]);
  const draft = { type: "stream", to: [channelId], topic: name, content: "Later." };
  await expectSuccess(harness.as("dev").post("/drafts", { drafts: [draft] }));
  const { drafts } = await expectSuccess(harness.as("dev").get("/drafts"));
  expect(drafts[0].topic).toBe(name);
  const later = {
    type: "stream",
    to: channelId,
    topic: name,
    content: "Later.",
    scheduled_delivery_timestamp: Math.floor(Date.now() / 1000) + 86_400,
  };
  await expectSuccess(harness.as("dev").post("/scheduled_messages", later));
  const { scheduled_messages } = await expectSuccess(harness.as("dev").get("/scheduled_messages"));
  expect(scheduled_messages[0].topic).toBe(name);
});

test("a move to a name that is too long is refused, and a message to one has its name cut", async () => {
  const id = await say("dev", channelId, { topic: "short" });
  expect(await refusal(rename(id, "x".repeat(61)))).toBe("topic is too long (limit: 60 characters)");
  expect(await refusal(rename(id, `✔ ${"x".repeat(61)}`))).toBe("topic is too long (limit: 60 characters)");
  expect(await topicOf(id)).toBe("short");
  expect(await topicOf(await say("dev", channelId, { topic: "y".repeat(61) }))).toBe(`${"y".repeat(57)}...`);
  const cut = await say("dev", channelId, { topic: `✔ ${"y".repeat(61)}` });
  expect(await topicOf(cut)).toBe(`✔ ${"y".repeat(57)}...`);
});

describe("the topic without a name", () => {
  test.each(["✔ ", "✔", "✔ general chat", "✔ General Chat", "✔ (no topic)"])(
    "can't be resolved as %j",
    async (topic) => {
      const id = await say("dev", channelId, { topic: "" });
      expect(await refusal(rename(id, topic))).toBe(
        "The topic without a name can't be resolved. Give it a name first.",
      );
      expect(await topicOf(id)).toBe("general chat");
    },
  );

  test("is meant by its display name, in capitals or small letters", async () => {
    const { length } = await Promise.all(
      ["General Chat", "GENERAL CHAT", "(No Topic)"].map((topic) => say("dev", channelId, { topic })),
    );
    expect(length).toBe(3);
    const { topics } = await expectSuccess(
      harness.as("dev").get(`/users/me/${channelId}/topics`, { allow_empty_topic_name: true }),
    );
    const names = topics.map(({ name }: { name: string }) => name);
    expect(names.filter((name: string) => /^$|general|no topic/i.test(name))).toEqual([""]);
  });
});
