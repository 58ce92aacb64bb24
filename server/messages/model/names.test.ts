/** Names that look the same are the same, for topics, channels, groups and people. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ChannelId } from "../../../api/ids.ts";
import { editIn, expectSuccess, refusal, sayIn, showIn } from "../../../test/harness/answers.ts";
import { createHarness, type Harness } from "../../../test/harness/harness.ts";
import { listen } from "../../../test/harness/listener.ts";

let harness: Harness;
let channelId: ChannelId;
beforeAll(async () => {
  harness = await createHarness();
  channelId = (await harness.channel("names", ["ada", "dev"])).id;
});
afterAll(() => harness.close());

let count = 0;
const say = sayIn(() => harness);
const edit = editIn(() => harness);
const show = showIn(() => harness);
const topicOf = async (id: number) => (await show("dev", id)).subject;

async function topicNames(id: number): Promise<string[]> {
  const { topics } = await expectSuccess(harness.as("dev").get(`/users/me/${id}/topics`));
  return topics.map(({ name }: { name: string }) => name);
}

const pairs = [
  ["café", "cafe\u0301"],
  ["Straße", "STRASSE"],
  ["İzmir", "i\u0307zmir"],
  ["ΣΟΦΟΣ", "σοφος"],
  ["zero width", "zero\u200b width"],
  ["direction", "\u202edirection"],
  ["می\u200cخواهم", "میخواهم"],
] as const;

describe.each(pairs)("%j and %j", (one, other) => {
  test.each([
    ["the first", one, other],
    ["the second", other, one],
  ])("are one topic, which %s began", async (_which, first, second) => {
    const { id } = await harness.channel(`begun ${++count}`, ["ada", "dev"]);
    const ids = [await say("ada", id, { topic: first }), await say("dev", id, { topic: second })];
    const names = await topicNames(id);
    expect(names).toHaveLength(1);
    expect(await topicOf(ids[1] as number)).toBe(names[0]);
    for (const operand of [first, second]) {
      const narrow = [
        { operator: "channel", operand: id },
        { operator: "topic", operand },
      ];
      const params = { anchor: "newest", num_before: 5, num_after: 0, narrow };
      const { messages } = await expectSuccess(harness.as("dev").get("/messages", params));
      expect(messages.map((each: { id: number }) => each.id)).toEqual(ids);
    }
  });

  test("are one topic for two people who begin it at once", async () => {
    const { id } = await harness.channel(`at once ${one}`, ["ada", "dev"]);
    await Promise.all([say("ada", id, { topic: one }), say("dev", id, { topic: other })]);
    expect(await topicNames(id)).toHaveLength(1);
  });
});

test("a queue's narrow takes a topic in any spelling", async () => {
  const queue = await listen(harness.as("dev"), { narrow: [["topic", "Cafe\u0301s"]] });
  await say("ada", channelId, { topic: "cafés" });
  expect((await queue.heard()).filter(({ type }) => type === "message")).toHaveLength(1);
});

test("a topic's name is stored in one form and without hidden characters", async () => {
  const id = await say("dev", channelId, { topic: "\u202ee\u0301\u200b toile 👩\u200d💻" });
  expect(await topicOf(id)).toBe("é toile 👩\u200d💻");
  await expectSuccess(edit("ada", id, { topic: "e\u0301\u2060toile" }));
  expect(await topicOf(id)).toBe("étoile");
});

test("two channels and two groups can't have names that look the same", async () => {
  const subscribe = (name: string) =>
    expectSuccess(harness.as("ada").post("/users/me/subscriptions", { subscriptions: [{ name }] }));
  await subscribe("É-c");
  const again = await subscribe("e\u0301-C");
  expect(Object.values(again.already_subscribed)).toEqual([["É-c"]]);
  const group = (name: string) =>
    harness.as("ada").post("/user_groups/create", { name, description: "", members: [] });
  await expectSuccess(group("É"));
  expect(await refusal(group("e\u0301"))).toContain("already exists");
});

test("a name of a channel, a group or a person has no hidden characters", async () => {
  const subscriptions = [{ name: "a\u200bb" }];
  expect(await refusal(harness.as("ada").post("/users/me/subscriptions", { subscriptions }))).toContain(
    "position 2",
  );
  const group = { name: "\u202eabc", description: "", members: [] };
  expect(await refusal(harness.as("ada").post("/user_groups/create", group))).toContain("printable");
  expect(await refusal(harness.as("dev").patch("/settings", { full_name: "De\u200bv Rao" }))).toContain(
    "Invalid",
  );
  await expectSuccess(harness.as("dev").patch("/settings", { full_name: "Deve\u0301 Rao" }));
  const { full_name } = await expectSuccess(harness.as("dev").get("/users/me"));
  expect(full_name).toBe("Devé Rao");
});

test("a message of hidden characters and spaces alone is empty", async () => {
  const message = { type: "channel", to: channelId, topic: "empty", content: "\u200b \u2060\n" };
  expect(await refusal(harness.as("dev").post("/messages", message))).toBe("Message must not be empty");
  const id = await say("dev", channelId, { topic: "empty" });
  await expectSuccess(edit("dev", id, { content: "\u200b" }));
  expect((await show("dev", id)).content).toContain("(deleted)");
});
