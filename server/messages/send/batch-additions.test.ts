/**
 * Messages that add something (a widget, calls of bots, previews of pages) share the commits of all others.
 * In a batch they write and announce the same as one by one.
 */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import type { MessageId, Position, UserId } from "../../../api/ids.ts";
import { expectSuccess } from "../../../test/harness/answers.ts";
import { createHarness, type Harness } from "../../../test/harness/harness.ts";
import { sendTogether } from "../../../test/harness/held-log.ts";
import { renderTurns } from "../../content/rendering.ts";
import { users } from "../../people/user.ts";
import { sql } from "../../platform/db/sql.ts";
import { loggedMessage, type MessagePayload } from "../delivery/message-log.ts";
import { readMessageLog } from "../model/store.ts";
import { listSubmessages } from "../model/submessage-store.ts";
import type { Addressee } from "./addressee.ts";
import { batcherOf, sendMessage } from "./send.ts";

let harness: Harness;
let botId: UserId;
let botName: string;

beforeAll(async () => {
  harness = await createHarness({ PARLEY_RATE_LIMITS: "off" });
  const bot = { full_name: "Helper", short_name: "helper", bot_type: 3, payload_url: "http://bot.test/call" };
  const made = await expectSuccess(harness.as("dev").post("/bots", bot));
  botId = made.user_id;
  botName = harness.state.get(users).find(botId)?.fullName as string;
  await harness.channel("kitchen", ["ada", "dev", "elin"]);
  const added = { subscriptions: [{ name: "kitchen" }], principals: [botId] };
  await expectSuccess(harness.as("ada").post("/users/me/subscriptions", added));
  await expectSuccess(harness.as("ada").patch("/realm", { inline_url_embed_preview: true }));
  await harness.state.database.transaction(({ client }) =>
    client.query(`
      create function refuse_widget() returns trigger language plpgsql as $$
        begin raise exception 'refused' using errcode = '23514'; end $$;
      create trigger refused before insert on submessages
        for each row when (new.content like '%refused%') execute function refuse_widget();`),
  );
  // The topic and the conversation are there already.
  for (const what of contents()) await send(what);
});
afterAll(() => harness.close());
beforeEach(() => {
  // Texts that take longer than 8 ms together are rendered in several turns, in which people alternate. All
  // sends here reach a batch in the order of the calls, however slow the machine is.
  vi.spyOn(renderTurns, "run").mockImplementation((_owner, _cost, work) => work());
});
afterEach(() => vi.restoreAllMocks());

interface Asked {
  by: "ada" | "dev" | "elin";
  isDirect?: boolean;
  content: string;
}

function send({ by, isDirect, content }: Asked): Promise<MessageId> {
  const to: Addressee = isDirect
    ? { kind: "direct", userIds: [botId] }
    : { kind: "channel", channel: { name: "kitchen" }, topic: "lunch" };
  const request = { to, content, localEcho: null, readBySender: null };
  return sendMessage(harness.user(by).viewer, request);
}

function contents(): Asked[] {
  return [
    { by: "elin", content: "plain" },
    { by: "ada", content: "/poll Soup?\nYes\nNo" },
    { by: "dev", content: "see https://pages.test/menu and https://pages.test/soup" },
    { by: "elin", content: `@**${botName}** soup?` },
    { by: "ada", content: `@**${botName}** look at https://pages.test/menu` },
    { by: "elin", isDirect: true, content: "Soup?" },
    { by: "dev", isDirect: true, content: "/todo Cook\nBuy: leeks" },
    { by: "dev", content: "/todo Cook\nWash" },
    { by: "ada", content: "@**Dev Rao** plain again" },
  ];
}

/** The same walk for the same seed. */
function walk(seed: number, length: number): Asked[] {
  let state = seed;
  const next = (count: number) => {
    state = (state * 1103515245 + 12345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * count);
  };
  const all = contents();
  return Array.from({ length }, () => all[next(all.length)] as Asked);
}

/** What a message has become: the entry in memory, the one in the database, and all rows beside it. */
async function written(id: MessageId): Promise<unknown> {
  const { database, organizationId, recent } = harness.state;
  const entry = recent.all.find(({ position }) => position === id);
  const payload = entry?.payload as unknown as MessagePayload & { type: string };
  expect(payload.type).toBe(loggedMessage.type);
  const [row] = await readMessageLog(database, organizationId, (id - 1) as Position, id, 1);
  const submessages = await listSubmessages(database, organizationId, [id]);
  if (payload.submessage) expect(submessages.map((each) => each.id)).toEqual([payload.submessage.id]);
  const calls = await database.query<{ id: number; botId: number; trigger: string; tries: number }>(sql`
    select id, bot_id as "botId", trigger, tries from webhook_deliveries
    where organization_id = ${organizationId} and message_id = ${id} order by bot_id`);
  const jobs = await database.query<{
    payload: { messageId?: number; deliveryId?: number; tries?: number };
  }>(sql`
    select t.identifier as name, j.key, j.payload, j.max_attempts as "maxAttempts", j.attempts, j.priority
    from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
    where (j.payload->>'organizationId')::bigint = ${organizationId}
      and (t.identifier = 'show_link_previews' and (j.payload->>'messageId')::bigint = ${id}
        or t.identifier = 'call_bot'
          and (j.payload->>'deliveryId')::bigint = any(${calls.map((call) => call.id)}::bigint[]))
    order by t.identifier`);
  const text = JSON.stringify({ entry, row, submessages, calls, jobs }, (key, value) => {
    // What differs by nature.
    if (key === "sentAt") return "then";
    if (key === "id" || key === "messageId" || key === "position") return value === id ? "message" : "row";
    if (key === "deliveryId") return "row";
    if (key === "key")
      return String(value)
        .replace(String(id), "message")
        .replace(/^(call_bot):\d+$/, "$1:row");
    return value;
  });
  return JSON.parse(text);
}

test.each([1, 2, 3])("what messages add in batches is what they add one by one: walk %i", async (seed) => {
  const asked = walk(seed, 40);
  const alone: unknown[] = [];
  for (const what of asked) alone.push(await written(await send(what)));
  const { counts } = batcherOf(harness.state);
  const before = { ...counts };
  const ids = await sendTogether(harness.state, asked.length, () => Promise.all(asked.map(send)));
  expect(counts.messages - before.messages).toBe(asked.length);
  expect(counts.batches - before.batches).toBeLessThan(5);
  expect(ids).toEqual([...ids].sort((one, other) => one - other));
  expect(await Promise.all(ids.map(written))).toEqual(alone);
});

test("a message whose addition can't be written fails, and the others of its batch are sent", async () => {
  const asked = [...contents(), { by: "ada", content: "/poll refused?\nYes" } as const, ...contents()];
  const results = await Promise.allSettled(asked.map(send));
  const failed = results.flatMap((result, index) => (result.status === "rejected" ? [index] : []));
  expect(failed).toEqual([contents().length]);
  expect((results[contents().length] as PromiseRejectedResult).reason).toMatchObject({ message: "refused" });
  const ids = results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
  expect(await Promise.all(ids.map(written))).toEqual(
    await Promise.all((await Promise.all([...contents(), ...contents()].map(send))).map(written)),
  );
});

test("messages that changed memory refused twice add the same under the lock", async () => {
  const alone: unknown[] = [];
  for (const what of contents()) alone.push(await written(await send(what)));
  const ids = await refusedTwice(() => Promise.all(contents().map(send)));
  expect(await Promise.all(ids.map(written))).toEqual(alone);
});

/** The first two batches find that the state has changed since their messages were checked. */
async function refusedTwice<T>(work: () => Promise<T>): Promise<T> {
  const batcher = batcherOf(harness.state);
  const take = batcher.take.bind(batcher);
  let refusals = 0;
  vi.spyOn(batcher, "take").mockImplementation((isBeside) => {
    const batch = take(isBeside);
    if (batch && refusals < 2) {
      refusals++;
      const { values } = batch.statement;
      values[values.indexOf(harness.state.stateHead)] = -1;
    }
    return batch;
  });
  const result = await work();
  expect(refusals).toBe(2);
  return result;
}
