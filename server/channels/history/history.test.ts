import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { createHarness, type Harness } from "../../../test/harness/harness.ts";
import { sql } from "../../platform/db/sql.ts";
import type { Channel } from "../channel.ts";
import { readHistories } from "./history.ts";

const DAY = 24 * 3600;

let harness: Harness;
let channel: Channel;
let nextId = 1_000_000;
let count = 0;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());
beforeEach(async () => {
  channel = await harness.channel(`channel ${++count}`, []);
});

/** Stores messages in the channel that were sent some days ago, and returns the id of the first. */
async function addMessages(daysAgo: number, count: number): Promise<number> {
  const first = nextId;
  nextId += count;
  await harness.state.database.query(sql`
    insert into messages (organization_id, id, recipient_id, topic_id, sender_id, client, sent_at, facts, content,
      rendered_content)
    select ${harness.state.organizationId}, n, ${channel.id}, 1, ${harness.user("dev").id}, 'test',
      now() - make_interval(days => ${daysAgo}::int), 0, 'hello', '<p>hello</p>'
    from generate_series(${first}::int, ${first + count - 1}::int) as n`);
  return first;
}

const history = async (ageInDays: number) => {
  const aged = { ...channel, createdAt: Math.floor(Date.now() / 1000) - ageInDays * DAY };
  const historyOf = await readHistories(harness.state, harness.state.database, [aged]);
  return historyOf(aged);
};

describe("a channel counts as recently active", () => {
  test("for 180 days after it was made", async () => {
    expect((await history(179)).isRecentlyActive).toBe(true);
    expect((await history(181)).isRecentlyActive).toBe(false);
  });

  test("for 180 days after the newest message, and again within a minute of the next", async () => {
    await addMessages(181, 2);
    expect((await history(400)).isRecentlyActive).toBe(false);
    await addMessages(179, 1);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 60_000 });
    try {
      expect((await history(400)).isRecentlyActive).toBe(true);
    } finally {
      vi.useRealTimers();
    }
  });
});

test("a channel's first message is the oldest, and null before there is one", async () => {
  expect((await history(1)).firstMessageId).toBeNull();
  const first = await addMessages(1, 3);
  expect((await history(1)).firstMessageId).toBe(first);
  await addMessages(0, 1);
  expect((await history(1)).firstMessageId).toBe(first);
});

describe("weekly traffic", () => {
  test("is not known for a channel younger than a week", async () => {
    expect((await history(6)).weeklyTraffic).toBeNull();
  });

  test("is the mean of four weeks, or of the channel's age, with two significant digits", async () => {
    // Values are cached for a while after the first read, so this organization must not have asked
    // before.
    const elsewhere = await createHarness();
    const home = harness;
    harness = elsewhere;
    try {
      channel = await harness.channel("busy", []);
      await addMessages(20, 1000);
      await addMessages(1, 234);
      await addMessages(40, 5000);
      expect((await history(100)).weeklyTraffic).toBe(310);
      expect((await history(14)).weeklyTraffic).toBe(620);
    } finally {
      harness = home;
      await elsewhere.close();
    }
  });
});
