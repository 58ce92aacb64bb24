import { afterAll, beforeAll, expect, test } from "vitest";
import { createHarness, type Harness } from "../../../test/harness/harness.ts";

let harness: Harness;
let channelId = 0;
beforeAll(async () => {
  harness = await createHarness();
  await harness.as("ada").patch("/realm", { send_channel_events_messages: false });
  channelId = (await harness.channel("kitchen", ["ada", "dev"])).id;
});
afterAll(() => harness.close());

const say = (topic: string) =>
  harness.as("dev").post("/messages", { type: "channel", to: channelId, topic, content: "Soup today?" });

/** The texts by which a client may name the empty topic. */
const empty = ["", "  ", "(no topic)", "general chat"];

// The policy that allows only the empty topic comes first, while no other topic exists.
test.each([
  ["empty_topic_only", "disable_empty_topic", { isEmptyAllowed: true, isNamedAllowed: false }],
  ["empty_topic_only", "allow_empty_topic", { isEmptyAllowed: true, isNamedAllowed: false }],
  ["inherit", "allow_empty_topic", { isEmptyAllowed: true, isNamedAllowed: true }],
  ["inherit", "disable_empty_topic", { isEmptyAllowed: false, isNamedAllowed: true }],
  ["allow_empty_topic", "disable_empty_topic", { isEmptyAllowed: true, isNamedAllowed: true }],
  ["disable_empty_topic", "allow_empty_topic", { isEmptyAllowed: false, isNamedAllowed: true }],
])(
  "in a channel whose policy is %s, in an organization where it is %s, topics are %j",
  async (own, general, rule) => {
    expect((await harness.as("ada").patch("/realm", { topics_policy: general })).status).toBe(200);
    // A value that is set already may be sent again.
    expect((await harness.as("ada").patch(`/streams/${channelId}`, { topics_policy: own })).status).toBe(200);
    for (const topic of empty) {
      const { status, body } = await say(topic);
      expect(status, `'${topic}': ${JSON.stringify(body)}`).toBe(rule.isEmptyAllowed ? 200 : 400);
    }
    const { status, body } = await say("lunch");
    expect(status, JSON.stringify(body)).toBe(rule.isNamedAllowed ? 200 : 400);
  },
);
