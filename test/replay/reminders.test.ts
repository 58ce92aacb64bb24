import { afterAll, beforeAll, expect, test } from "vitest";
import { tomorrow } from "../../api/personal/scheduled-messages.ts";
import { expectSuccess, sayIn } from "../harness/answers.ts";
import { eventNames, everybody, expectSilence, followAll } from "../harness/follow.ts";
import { createHarness, type Harness } from "../harness/harness.ts";
import { runJobsEarly } from "../harness/jobs.ts";

let harness: Harness;
let target: number;
const say = sayIn(() => harness);
beforeAll(async () => {
  harness = await createHarness();
  const { id } = await harness.channel("kitchen", ["ada", "dev"]);
  target = await say("ada", id);
});
afterAll(() => harness.close());

const others = everybody.filter((name) => name !== "dev");

async function remind(): Promise<number> {
  const params = { message_id: target, scheduled_delivery_timestamp: tomorrow(), note: "*Taste* it" };
  return (await expectSuccess(harness.as("dev").post("/reminders", params))).reminder_id;
}

test("reminders reach their owner's clients, and nobody else", async () => {
  const id = await remind();
  await expectSilence(harness, { hears: "dev", silent: others }, remind);
  await expectSilence(harness, { hears: "dev", silent: others }, () =>
    expectSuccess(harness.as("dev").delete(`/reminders/${id}`)),
  );
});

test("a reminder that is delivered reaches its owner alone", async () => {
  const heard = await followAll(harness, everybody, () => runJobsEarly(harness.services));
  expect(eventNames(heard.dev)).toEqual(["reminders/remove", "message"]);
  for (const name of others) expect(eventNames(heard[name])).toEqual([]);
});
