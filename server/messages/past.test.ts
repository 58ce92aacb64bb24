import { afterAll, beforeAll, expect, test } from "vitest";
import type { MessageId } from "../../api/ids.ts";
import { expectSuccess } from "../../test/harness/answers.ts";
import { type CastName, createHarness, type Harness } from "../../test/harness/harness.ts";
import { countJobs } from "../../test/harness/jobs.ts";
import { changeState } from "../people/viewer/change.ts";
import { sql } from "../platform/db/sql.ts";
import { sendPastMessage } from "./past.ts";

const HOUR_MS = 3600 * 1000;

let harness: Harness;
let kitchen: number;
beforeAll(async () => {
  harness = await createHarness();
  kitchen = (await harness.channel("kitchen", ["ada", "dev", "elin"])).id;
});
afterAll(() => harness.close());

const ago = (hours: number) => new Date(Date.now() - hours * HOUR_MS);

/** Sends these in one change. */
async function write(name: CastName, messages: readonly { content: string; sentAt: Date }[]) {
  const ids: MessageId[] = [];
  await changeState(harness.user("ada").viewer, async (tx) => {
    ids.length = 0;
    for (const { content, sentAt } of messages) {
      const to = { kind: "channel" as const, channel: { id: kitchen }, topic: "lunch" };
      await sendPastMessage(tx, harness.user(name).viewer, { to, content, sentAt }, (id) => ids.push(id));
    }
  });
  return ids;
}

async function shown(): Promise<{ content: string; timestamp: number }[]> {
  const page = { anchor: "newest", num_before: 100, num_after: 0, apply_markdown: false };
  const narrow = [{ operator: "channel", operand: kitchen }];
  const { messages } = await expectSuccess(harness.as("dev").get("/messages", { ...page, narrow }));
  return messages.map(({ content, timestamp }: { content: string; timestamp: number }) => ({
    content,
    timestamp,
  }));
}

test("past messages come in the order of their times, or none of their change does", async () => {
  const [first, second] = [ago(48), ago(47)];
  await write("dev", [
    { content: "one", sentAt: first },
    { content: "two", sentAt: second },
    { content: "at once", sentAt: second },
  ]);
  const before = await shown();
  expect(before.map(({ content }) => content)).toEqual(["one", "two", "at once"]);
  expect(before.map(({ timestamp }) => timestamp)).toEqual(
    [first, second, second].map((time) => Math.floor(Number(time) / 1000)),
  );
  const disorder = [
    { content: "three", sentAt: ago(40) },
    { content: "four", sentAt: ago(41) },
  ];
  await expect(write("dev", disorder)).rejects.toThrow("older than the newest");
  await expect(write("dev", [{ content: "late", sentAt: ago(60) }])).rejects.toThrow("older than the newest");
  expect(await shown()).toEqual(before);
});

test("a past message calls no program of a bot", async () => {
  const bot = { full_name: "Helper", short_name: "helper", bot_type: 3, payload_url: "https://example.com/" };
  const { user_id: id } = await expectSuccess(harness.as("dev").post("/bots", bot));
  await expectSuccess(
    harness
      .as("ada")
      .post("/users/me/subscriptions", { subscriptions: [{ name: "kitchen" }], principals: [id] }),
  );
  await write("dev", [{ content: "@**Helper** soup?", sentAt: ago(30) }]);
  expect(await harness.state.database.query(sql`select from webhook_deliveries`)).toEqual([]);
  expect(await countJobs(harness.services, "call_bot")).toBe(0);
});
