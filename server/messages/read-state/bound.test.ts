import { afterAll, beforeAll, expect, test } from "vitest";
import { expectSuccess, sayIn } from "../../../test/harness/answers.ts";
import { type CastName, createHarness, type Harness } from "../../../test/harness/harness.ts";
import { listen } from "../../../test/harness/listener.ts";
import { sql } from "../../platform/db/sql.ts";
import { MAX_PIECES } from "./bound-store.ts";
import { limits } from "./unread-store.ts";

const MESSAGES = 2 * MAX_PIECES + 40;

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
  await harness.channel("kitchen", ["ada", "dev", "elin", "gus"]);
});
afterAll(() => harness?.close());

const say = sayIn(() => harness);
const flag = (name: CastName, messages: number[], op: string) =>
  expectSuccess(harness.as(name).post("/messages/flags", { messages, op, flag: "read" }));

async function sayMany(to: unknown, more: Record<string, unknown>): Promise<number[]> {
  const ids: number[] = [];
  while (ids.length < MESSAGES) {
    const some = Array.from({ length: Math.min(64, MESSAGES - ids.length) }, () => say("ada", to, more));
    ids.push(...(await Promise.all(some)));
  }
  return ids.sort((a, b) => a - b);
}

async function unreadOf(name: CastName): Promise<number[]> {
  const types = ["message", "update_message_flags"];
  const { body } = await harness.as(name).post("/register", { fetch_event_types: types });
  const { streams, pms } = body.unread_msgs;
  return [...streams, ...pms]
    .flatMap((each: { unread_message_ids: number[] }) => each.unread_message_ids)
    .sort((a: number, b: number) => a - b);
}

async function mostPieces(): Promise<number> {
  const [row] = await harness.state.database.query<{ most: number }>(sql`
    select max(pieces)::int as most from (
      select (select count(*) from unnest(ranges)) as pieces from read_states
      union all
      select (select count(*) from unnest(ranges)) + (select count(*) from unnest(gaps)) from topic_read_states
    ) each`);
  return (row as { most: number }).most;
}

test.each([
  ["a topic", "dev", "kitchen", { topic: "soup" }],
  ["a conversation", "gus", undefined, { type: "direct", topic: undefined }],
] as const)(
  "who marks every second message of %s keeps a bounded row, and hears what else is read",
  async (_, name, to, more) => {
    const ids = await sayMany(to ?? [harness.user(name).id], more);
    const own = await listen(harness.as(name), { event_types: ["update_message_flags"] });
    const marked = ids.filter((_, index) => index % 2 === 1);
    await flag(name, marked, "add");
    const read = new Set((await own.heard()).flatMap(({ op, messages }) => (op === "add" ? messages : [])));
    expect(marked.every((id) => read.has(id))).toBe(true);
    expect(read.size).toBeGreaterThan(marked.length);
    const unread = (await unreadOf(name)).filter((id) => ids.includes(id));
    expect(unread).toEqual(ids.filter((id) => !read.has(id)));
    expect(await mostPieces()).toBeLessThanOrEqual(MAX_PIECES);
  },
);

test("who marks every second message as unread keeps a bounded row, and hears which stay read", async () => {
  const ids = await sayMany("kitchen", { topic: "stew" });
  await flag("elin", ids, "add");
  const others = await unreadOf("elin");
  const own = await listen(harness.as("elin"), { event_types: ["update_message_flags"] });
  await flag(
    "elin",
    ids.filter((_, index) => index % 2 === 1),
    "remove",
  );
  const unread = new Set<number>();
  for (const { op, messages } of await own.heard()) {
    for (const id of messages as number[]) op === "remove" ? unread.add(id) : unread.delete(id);
  }
  expect(unread.size).toBeGreaterThan(0);
  expect(unread.size).toBeLessThan(ids.length / 2);
  expect(await unreadOf("elin")).toEqual([...others, ...unread].sort((a, b) => a - b));
  expect(await mostPieces()).toBeLessThanOrEqual(MAX_PIECES);
});

test.each([
  ["few", 500],
  ["many", 2],
])("of too many unread messages, the newest are listed (%s in a channel)", async (_, few) => {
  const usual = { ...limits };
  try {
    Object.assign(limits, { few });
    const all = await unreadOf("elin");
    Object.assign(limits, { listed: 10 });
    expect(await unreadOf("elin")).toEqual(all.slice(-10));
  } finally {
    Object.assign(limits, usual);
  }
});
