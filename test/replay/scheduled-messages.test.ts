import { afterAll, beforeAll, expect, test } from "vitest";
import { tomorrow } from "../../api/personal/scheduled-messages.ts";
import { expectSuccess } from "../harness/answers.ts";
import { eventNames, everybody, expectSilence, followAll } from "../harness/follow.ts";
import { createHarness, type Harness } from "../harness/harness.ts";
import { runJobsEarly } from "../harness/jobs.ts";

let harness: Harness;
let kitchen: number;
beforeAll(async () => {
  harness = await createHarness();
  kitchen = (await harness.channel("kitchen", ["ada", "ben", "dev", "gus", "echo"])).id;
});
afterAll(() => harness.close());

const others = everybody.filter((name) => name !== "dev");

async function schedule(more: Record<string, unknown> = {}): Promise<number> {
  const message = { type: "channel", to: kitchen, topic: "lunch", content: "Soup", ...more };
  const params = { ...message, scheduled_delivery_timestamp: tomorrow() };
  return (await expectSuccess(harness.as("dev").post("/scheduled_messages", params))).scheduled_message_id;
}

test("scheduled messages and their changes reach the sender's clients, and nobody else", async () => {
  const id = await schedule();
  const change = (params: object) =>
    expectSuccess(harness.as("dev").patch(`/scheduled_messages/${id}`, { ...params }));
  await expectSilence(harness, { hears: "dev", silent: others }, () => schedule({ content: "**Bread**" }));
  await expectSilence(harness, { hears: "dev", silent: others }, () => change({ content: "*Soup*" }));
  await expectSilence(harness, { hears: "dev", silent: others }, () =>
    change({ type: "direct", to: [harness.user("elin").id] }),
  );
  await expectSilence(harness, { hears: "dev", silent: others }, () =>
    expectSuccess(harness.as("dev").delete(`/scheduled_messages/${id}`)),
  );
});

test("a scheduled message that is sent reaches everyone as any message does", async () => {
  await schedule({ content: "Soup for @**Gus Pike**", topic: "tomorrow" });
  await schedule({ type: "direct", to: [harness.user("elin").id], content: "psst" });
  const heard = await followAll(harness, everybody, () => runJobsEarly(harness.services));
  expect(eventNames(heard.gus)).toEqual(expect.arrayContaining(["message"]));
  expect(eventNames(heard.dev)).toEqual(expect.arrayContaining(["scheduled_messages/remove", "message"]));
  expect(eventNames(heard.elin)).toEqual(["message"]);
  expect(eventNames(heard.zed)).toEqual([]);
});

test("a scheduled message that fails is announced to its sender alone", async () => {
  await schedule();
  await expectSuccess(harness.as("ada").delete(`/streams/${kitchen}`));
  await expectSilence(harness, { hears: "dev", silent: others }, () => runJobsEarly(harness.services));
});
