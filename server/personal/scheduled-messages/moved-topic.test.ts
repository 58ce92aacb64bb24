import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { tomorrow } from "../../../api/personal/scheduled-messages.ts";
import { expectSuccess } from "../../../test/harness/answers.ts";
import { followAll } from "../../../test/harness/follow.ts";
import { type CastName, createHarness, type Harness } from "../../../test/harness/harness.ts";
import { sql } from "../../platform/db/sql.ts";

/** What people keep for a topic, when the topic gets another name or another channel. */
let harness: Harness;
let kitchen: number;
let garden: number;
let cellar: number;
beforeAll(async () => {
  harness = await createHarness({ PARLEY_RATE_LIMITS: "off" });
  kitchen = (await harness.channel("kitchen", ["ada", "dev", "elin"])).id;
  garden = (await harness.channel("garden", ["ada", "dev", "elin"])).id;
  cellar = (await harness.channel("cellar", ["ada", "dev"], { isPrivate: true })).id;
});
afterAll(() => harness.close());
beforeEach(async () => {
  await harness.services.database.query(sql`delete from drafts`);
  await harness.services.database.query(sql`delete from scheduled_messages`);
});

const say = async (topic: string): Promise<number> =>
  (
    await expectSuccess(
      harness.as("ada").post("/messages", { type: "channel", to: kitchen, topic, content: "Soup?" }),
    )
  ).id;
const move = (message: number, change: Record<string, unknown>) =>
  expectSuccess(harness.as("ada").patch(`/messages/${message}`, { propagate_mode: "change_all", ...change }));

async function keep(name: CastName, topic: string): Promise<void> {
  const message = { type: "channel", to: kitchen, topic, content: "Later." };
  const timed = { ...message, scheduled_delivery_timestamp: tomorrow() };
  await expectSuccess(harness.as(name).post("/scheduled_messages", timed));
  const draft = { ...message, to: [kitchen] };
  await expectSuccess(harness.as(name).post("/drafts", { drafts: [draft] }));
}

/** Where the scheduled message and the draft of a person are going. */
async function places(name: CastName): Promise<[unknown, string][]> {
  const { scheduled_messages } = await expectSuccess(harness.as(name).get("/scheduled_messages"));
  const { drafts } = await expectSuccess(harness.as(name).get("/drafts"));
  return [
    ...scheduled_messages.map(({ to, topic }: { to: number; topic: string }) => [to, topic]),
    ...drafts.map(({ to, topic }: { to: number[]; topic: string }) => [to[0], topic]),
  ];
}

test("scheduled messages and drafts follow a topic that is resolved or renamed, with events to their owners", async () => {
  const message = await say("lunch");
  await keep("dev", "Lunch");
  await keep("elin", "dinner");
  const heard = await followAll(harness, ["dev", "elin"], () => move(message, { topic: "✔ lunch" }));
  expect(await places("dev")).toEqual([
    [kitchen, "✔ lunch"],
    [kitchen, "✔ lunch"],
  ]);
  const named = (events: readonly Record<string, unknown>[] = []) =>
    [...new Set(events.map(({ type, op }) => `${type}/${op}`))].filter((name) =>
      /draft|scheduled/.test(name),
    );
  expect(named(heard.dev).sort()).toEqual(["drafts/update", "scheduled_messages/update"]);
  expect(named(heard.elin)).toEqual([]);
  expect(await places("elin")).toEqual([
    [kitchen, "dinner"],
    [kitchen, "dinner"],
  ]);
});

test("they follow a topic to another channel, if their owner can read it", async () => {
  const message = await say("tea");
  await keep("dev", "tea");
  await keep("elin", "tea");
  await move(message, { stream_id: garden, topic: "cake" });
  expect(await places("elin")).toEqual([
    [garden, "cake"],
    [garden, "cake"],
  ]);
  await move(message, { stream_id: cellar });
  expect(await places("dev")).toEqual([
    [cellar, "cake"],
    [cellar, "cake"],
  ]);
  expect(await places("elin")).toEqual([
    [garden, "cake"],
    [garden, "cake"],
  ]);
});

test("they stay where a part of the topic stays, and for people", async () => {
  const message = await say("bread");
  await say("bread");
  await keep("dev", "bread");
  await expectSuccess(harness.as("ada").patch(`/messages/${message}`, { topic: "butter" }));
  expect(await places("dev")).toEqual([
    [kitchen, "bread"],
    [kitchen, "bread"],
  ]);
});

test("a message that was scheduled for a private channel goes to no other one by itself", async () => {
  const message = { type: "channel", to: cellar, topic: "wine", content: "For few." };
  const { id } = await expectSuccess(harness.as("ada").post("/messages", message));
  const timed = { ...message, scheduled_delivery_timestamp: tomorrow() };
  await expectSuccess(harness.as("dev").post("/scheduled_messages", timed));
  await move(id, { topic: "✔ wine" });
  expect(await places("dev")).toEqual([[cellar, "✔ wine"]]);
  await move(id, { stream_id: garden });
  expect(await places("dev")).toEqual([[cellar, "✔ wine"]]);
});

test("a scheduled message goes to no channel that needs no account by itself, while its draft does", async () => {
  const square = (await harness.channel("square", ["ada", "dev"], { isWebPublic: true })).id;
  const message = await say("fair");
  await keep("dev", "fair");
  await move(message, { stream_id: square });
  expect(await places("dev")).toEqual([
    [kitchen, "fair"],
    [square, "fair"],
  ]);
});
