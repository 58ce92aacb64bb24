import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { expectSuccess } from "../../../test/harness/answers.ts";
import { createHarness, type Harness } from "../../../test/harness/harness.ts";
import { Node } from "../../../test/harness/node.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { sql } from "../../platform/db/sql.ts";
import { runStateChange } from "../../platform/log/change.ts";
import type { Channel } from "../channel.ts";
import { subscribe } from "../subscriptions/subscribe.ts";
import { readHistories, readHistoriesToAnnounce } from "./history.ts";

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

async function say(to = channel): Promise<number> {
  const message = { type: "channel", to: to.id, topic: "lunch", content: "Soup today?" };
  return (await expectSuccess(harness.as("ada").post("/messages", message))).id;
}

const firstIn = async (asked: Channel, { state }: Pick<Harness, "state"> = harness) =>
  (await readHistories(state, state.database, [asked]))(asked).firstMessageId;

test("a channel's first message is the oldest, and null before there is one", async () => {
  expect(await firstIn(channel)).toBeNull();
  const first = await say();
  expect(await firstIn(channel)).toBe(first);
  await say();
  expect(await firstIn(channel)).toBe(first);
});

test("a first message that is deleted while a subscription runs is announced as no longer there", async () => {
  const first = await say();
  const next = await say();
  const { state } = harness;
  expect(await firstIn(channel)).toBe(first);
  const heard: (number | null)[] = [];
  await runStateChange(state, async (tx) => {
    await subscribe(tx, [channel], [harness.user("cleo").user]);
    const historyOf = await readHistoriesToAnnounce(tx, [channel]);
    heard.push(historyOf(channel).firstMessageId);
    if (heard.length === 1) await expectSuccess(harness.as("ada").delete(`/messages/${first}`));
  });
  expect(heard).toEqual([first, next]);
});

describe("a channel without a message", () => {
  /** The channels whose rows are asked for when these are read. */
  async function askedFor(read: readonly Channel[]): Promise<number[]> {
    const { state } = harness;
    const asked: number[] = [];
    const db: Queryable = {
      query(statement) {
        if (/from messages/.test(statement.text)) asked.push(...(statement.values[0] as number[]));
        return state.database.query(statement);
      },
    };
    await readHistories(state, db, read);
    return asked;
  }

  test("is asked for once, and again when it has got a message", async () => {
    const others = [await harness.channel(`quiet ${count}`, []), await harness.channel(`still ${count}`, [])];
    const all = [channel, ...others];
    const ids = all.map(({ id }) => id);
    expect(await askedFor(all)).toEqual(ids);
    expect(await askedFor(all)).toEqual([]);
    await say();
    expect(await askedFor(all)).toEqual([channel.id]);
    expect(await askedFor(all)).toEqual([]);
  });

  test("has none again after its only message was deleted", async () => {
    const id = await say();
    expect(await firstIn(channel)).toBe(id);
    await expectSuccess(harness.as("ada").delete(`/messages/${id}`));
    expect(await firstIn(channel)).toBeNull();
    const next = await say();
    expect(await firstIn(channel)).toBe(next);
  });

  test("has the message that is moved there, and the one that it came from has none", async () => {
    const to = await harness.channel(`to ${count}`, ["ada"]);
    const id = await say();
    expect([await firstIn(channel), await firstIn(to)]).toEqual([id, null]);
    const move = { stream_id: to.id, send_notification_to_new_thread: false };
    await expectSuccess(
      harness.as("ada").patch(`/messages/${id}`, { ...move, send_notification_to_old_thread: false }),
    );
    expect([await firstIn(channel), await firstIn(to)]).toEqual([null, id]);
  });

  test("has a message that another node sends and deletes", async () => {
    const { services, state } = harness;
    const other = await Node.start(services.config, services.database.connection, {
      organizationId: state.organizationId,
    });
    try {
      expect([await firstIn(channel), await firstIn(channel, other)]).toEqual([null, null]);
      const id = await other.say(harness.user("ada").email, channel, "hello");
      await state.catchUp();
      expect(await firstIn(channel)).toBe(id);
      await expectSuccess(harness.as("ada").delete(`/messages/${id}`));
      await other.state.catchUp();
      expect([await firstIn(channel), await firstIn(channel, other)]).toEqual([null, null]);
    } finally {
      await other.stop();
    }
  });

  test("is not kept as empty by a reader whose snapshot is older than its first message", async () => {
    const { state } = harness;
    let id: number | undefined;
    const seen = await state.database.snapshot(async (tx) => {
      // The snapshot is taken by its first statement.
      await state.readHeads(tx);
      id = await say();
      return (await readHistories(state, tx, [channel]))(channel).firstMessageId;
    });
    expect(seen).toBeNull();
    expect(await firstIn(channel)).toBe(id);
  });
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
      await addMessages(40, 5000);
      await addMessages(20, 1000);
      // More positions than one transaction counts.
      nextId += 120_000;
      await addMessages(1, 234);
      const { database } = harness.state;
      const transactions = vi.spyOn(database, "transaction");
      expect((await history(100)).weeklyTraffic).toBe(310);
      expect(transactions.mock.calls.length).toBeGreaterThanOrEqual(3);
      transactions.mockRestore();
      expect((await history(14)).weeklyTraffic).toBe(620);
    } finally {
      harness = home;
      await elsewhere.close();
    }
  });
});
