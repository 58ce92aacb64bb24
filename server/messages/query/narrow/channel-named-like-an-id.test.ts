/** A channel whose name is the id of another. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { expectSuccess, refusal, showIn } from "../../../../test/harness/answers.ts";
import { createHarness, type Harness } from "../../../../test/harness/harness.ts";
import { listen } from "../../../../test/harness/listener.ts";
import { type Channel, channels } from "../../../channels/channel.ts";

let harness: Harness;
let plain: Channel;
/** Its name is the id of `plain`. */
let odd: Channel;

beforeAll(async () => {
  harness = await createHarness();
  plain = await harness.channel("plain", ["ada", "dev"]);
  odd = await harness.channel(String(plain.id), ["ada", "dev"]);
});
afterAll(() => harness.close());

const show = showIn(() => harness);

/** `to` as the form has it. */
async function say(to: string): Promise<number> {
  const message = { type: "channel", to, topic: "lunch", content: "Soup?" };
  return (await expectSuccess(harness.as("dev").post("/messages", message))).id;
}

/** The channels of the messages that a narrow finds. */
async function found(operand: number | string): Promise<number[]> {
  const narrow = [{ operator: "channel", operand }];
  const params = { anchor: "newest", num_before: 50, num_after: 0, narrow };
  const { messages } = await expectSuccess(harness.as("dev").get("/messages", params));
  return [...new Set<number>(messages.map((each: { stream_id: number }) => each.stream_id))];
}

test("a number is an id, and a text is a name, for a message and for a narrow", async () => {
  expect((await show("dev", await say(String(plain.id)))).stream_id).toBe(plain.id);
  expect((await show("dev", await say(`"${plain.id}"`))).stream_id).toBe(odd.id);
  expect(await found(plain.id)).toEqual([plain.id]);
  expect(await found(String(plain.id))).toEqual([odd.id]);
});

test("a text that no channel is named is an id", async () => {
  expect((await show("dev", await say(`"${odd.id}"`))).stream_id).toBe(odd.id);
  expect(await found(String(odd.id))).toEqual([odd.id]);
  const nothing = { type: "channel", to: '"99999"', topic: "lunch", content: "Soup?" };
  expect(await refusal(harness.as("dev").post("/messages", nothing))).toContain("99999");
});

test("a queue with a narrow gets the messages of one of them", async () => {
  const byName = await listen(harness.as("dev"), { narrow: [["stream", String(plain.id)]] });
  const byPlainName = await listen(harness.as("dev"), { narrow: [["channel", "Plain"]] });
  const ids = [await say(String(plain.id)), await say(`"${plain.id}"`)];
  const heard = async (queue: typeof byName) =>
    (await queue.heard()).filter(({ type }) => type === "message").map(({ message }) => message.id);
  expect(await heard(byName)).toEqual([ids[1]]);
  expect(await heard(byPlainName)).toEqual([ids[0]]);
});

test("a queue's narrow stays with its channel when that gets another name", async () => {
  const channel = await harness.channel("old name", ["ada", "dev"]);
  const queue = await listen(harness.as("dev"), { narrow: [["channel", "old name"]] });
  await expectSuccess(harness.as("ada").patch(`/streams/${channel.id}`, { new_name: "new name" }));
  await harness.channel("old name", ["ada", "dev"]);
  const id = await say("new name");
  await say("old name");
  const messages = (await queue.heard()).filter(({ type }) => type === "message");
  // The notice about the new name comes first.
  expect(messages.map(({ message }) => message.stream_id)).toEqual([channel.id, channel.id]);
  expect(messages.at(-1).message.id).toBe(id);
  expect(harness.state.get(channels).findNamed("old name")?.id).not.toBe(channel.id);
});
