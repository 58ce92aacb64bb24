import { afterAll, beforeAll, expect, test } from "vitest";
import { expectSuccess } from "../../../test/harness/answers.ts";
import { createHarness, type Harness } from "../../../test/harness/harness.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
  await harness.channel("kitchen", ["ada", "gus"]);
  await expectSuccess(harness.as("gus").post("/users/me/alert_words", { alert_words: ["soup"] }));
});
afterAll(() => harness?.close());

const say = async (content: string): Promise<number> =>
  (
    await expectSuccess(
      harness.as("ada").post("/messages", { type: "channel", to: "kitchen", topic: "lunch", content }),
    )
  ).id;

const isAlert = async (id: number): Promise<boolean> =>
  (await expectSuccess(harness.as("gus").get(`/messages/${id}`))).message.flags.includes("has_alert_word");

test("an alert word counts in a message's text, not in its code", async () => {
  expect(await isAlert(await say("More soup?"))).toBe(true);
  expect(await isAlert(await say("```\nmake soup\n```"))).toBe(false);
  expect(await isAlert(await say("Call `soup` first."))).toBe(false);
  expect(await isAlert(await say("`make` soup first."))).toBe(true);
});

test("an edit that puts an alert word into code removes the alert, and taking it out restores it", async () => {
  const id = await say("Call soup first.");
  const edit = (content: string) => expectSuccess(harness.as("ada").patch(`/messages/${id}`, { content }));
  expect(await isAlert(id)).toBe(true);
  await edit("Call `soup` first.");
  expect(await isAlert(id)).toBe(false);
  await edit("Call\n```\nsoup\n```");
  expect(await isAlert(id)).toBe(false);
  await edit("Call `make` soup.");
  expect(await isAlert(id)).toBe(true);
});
