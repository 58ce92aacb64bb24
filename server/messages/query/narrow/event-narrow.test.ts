import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type CastName, createHarness, type Harness } from "../../../../test/harness/harness.ts";
import { listen } from "../../../../test/harness/listener.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
  await harness.channel("kitchen", ["ada", "dev"]);
  await harness.channel("hall", ["ada"]);
  await harness.channel("leads", ["ada"], { isPrivate: true });
});
afterAll(() => harness?.close());

const say = (to: string, content: string, topic = "lunch") =>
  harness.as("ada").post("/messages", { type: "channel", to, topic, content });

/** Sends one message of each kind, and returns the texts that reach a queue with these parameters. */
async function heardBy(name: CastName, params: Record<string, unknown>): Promise<string[]> {
  const ear = await listen(harness.as(name), { event_types: ["message"], ...params });
  await say("kitchen", "plain");
  await say("kitchen", "@**Dev Rao**");
  await say("kitchen", "empty", "");
  await say("kitchen", "done", "✔ lunch");
  await say("hall", "public");
  await say("leads", "secret");
  await harness.as("dev").post("/messages", {
    type: "channel",
    to: "kitchen",
    topic: "lunch",
    content: "own",
    read_by_sender: true,
  });
  await harness.as("ada").post("/messages", { type: "direct", to: ["dev@demo.test"], content: "direct" });
  return (await ear.heard()).map(({ message }) => message.content);
}

const all = ["plain", "@**Dev Rao**", "empty", "done", "own", "direct"];

describe("a queue's narrow lets through", () => {
  test.each<[unknown[], string[]]>([
    [[], all],
    [[["channel", "KITCHEN"]], all.slice(0, 5)],
    [
      [
        ["stream", "kitchen"],
        ["topic", "LUNCH"],
      ],
      ["plain", "@**Dev Rao**", "own"],
    ],
    [[["topic", "general chat"]], ["empty"]],
    [[["topic", ""]], ["empty"]],
    [[["sender", "dev@demo.test"]], ["own"]],
    [[["is", "dm"]], ["direct"]],
    [[["is", "private"]], ["direct"]],
    [[["is", "mentioned"]], ["@**Dev Rao**"]],
    [[["is", "resolved"]], ["done"]],
    [[["is", "unread"]], all.filter((text) => text !== "own")],
    [[["is", "starred"]], []],
    [[["is", "unheard of"]], []],
    [[["channel", "hall"]], []],
    [[["channel", "leads"]], []],
  ])("%j", async (narrow, texts) => {
    expect(await heardBy("dev", { narrow })).toEqual(texts);
  });
});

test("a queue's narrow accepts ids and the older operators", async () => {
  const { stream_id } = (await harness.as("dev").get("/get_stream_id", { stream: "kitchen" })).body;
  const { id } = harness.user("dev");
  for (const [narrow, texts] of [
    [[["channel", String(stream_id)]], all.slice(0, 5)],
    [[["stream", String(stream_id)]], all.slice(0, 5)],
    [[["subject", "general chat"]], ["empty"]],
    [[["sender", String(id)]], ["own"]],
    [[["from", "DEV@demo.test"]], ["own"]],
  ] as const) {
    expect(await heardBy("dev", { narrow }), JSON.stringify(narrow)).toEqual(texts);
  }
});

test("a queue's narrow on alerted messages lets messages with the user's alert words through", async () => {
  await harness.as("dev").post("/users/me/alert_words", { alert_words: ["plain"] });
  expect(await heardBy("dev", { narrow: [["is", "alerted"]] })).toEqual(["plain"]);
  await harness.as("dev").delete("/users/me/alert_words", { alert_words: ["plain"] });
});

test("an all-public listener gets public channels, and no private one", async () => {
  expect(await heardBy("dev", { all_public_streams: true })).toEqual([
    ...all.slice(0, 4),
    "public",
    ...all.slice(4),
  ]);
  expect(await heardBy("elin", { all_public_streams: true })).toEqual([...all.slice(0, 4), "public", "own"]);
  const { body } = await harness
    .as("gus")
    .post("/register", { event_types: ["message"], all_public_streams: true });
  expect(body.msg).toBe("User not authorized for this query");
});

test("an all-public listener has no flags on a message in a channel without a subscription", async () => {
  const ear = await listen(harness.as("elin"), { event_types: ["message"], all_public_streams: true });
  const inside = await listen(harness.as("dev"), { event_types: ["message"] });
  await say("kitchen", "@**all**");
  expect((await inside.heard())[0].flags).toEqual(["stream_wildcard_mentioned", "wildcard_mentioned"]);
  expect((await ear.heard())[0].flags).toEqual([]);
});

test("an operator that can't filter events is refused", async () => {
  const { body } = await harness.as("dev").post("/register", { narrow: [["dm", "ada@demo.test"]] });
  expect(body.msg).toBe("Operator dm not supported.");
});
