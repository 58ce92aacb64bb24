import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { UserId } from "../../../api/ids.ts";
import { expectSuccess } from "../../../test/harness/answers.ts";
import { type CastName, createHarness, type Harness } from "../../../test/harness/harness.ts";
import { users } from "../../people/user.ts";
import { sql } from "../db/sql.ts";
import { queuesOf } from "./organization-queues.ts";
import { Queue } from "./queue.ts";
import { endExcessQueues, MAX_QUEUES_OF_BOTS, MAX_QUEUES_OF_USER } from "./queue-limit.ts";
import { listExcessQueues } from "./store.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness?.close());

const LIMIT = 4;

const open = async (name: CastName): Promise<Queue> => {
  const { queue_id } = await expectSuccess(harness.as(name).post("/register", { event_types: ["message"] }));
  return queuesOf(harness.state).byId.get(queue_id) as Queue;
};

interface Bot {
  id: UserId;
  open(): Promise<Queue>;
}

/** A bot of dev's. */
async function makeBot(name: string): Promise<Bot> {
  const shortName = name.toLowerCase().replace(" ", "-");
  const bot = await expectSuccess(
    harness.as("dev").post("/bots", { full_name: name, short_name: shortName }),
  );
  const id = bot.user_id as UserId;
  const email = harness.state.get(users).byId.get(id)?.email;
  const open = async () => {
    const { queue_id } = (
      await harness.app.inject({
        method: "POST",
        url: "/api/v1/register",
        headers: {
          host: "demo.test",
          authorization: `Basic ${Buffer.from(`${email}:${bot.api_key}`).toString("base64")}`,
        },
        payload: { event_types: ["message"] },
      })
    ).json();
    return queuesOf(harness.state).byId.get(queue_id) as Queue;
  };
  return { id, open };
}

const poll = (name: CastName, { id }: Queue, params: Record<string, unknown> = { dont_block: true }) =>
  harness.as(name).get("/events", { queue_id: id, last_event_id: -1, ...params });

const endExcess = (newest: Queue) =>
  endExcessQueues(harness.state, harness.services.queues, newest, { limit: LIMIT });

const countRows = async (name: CastName) =>
  (await harness.state.database.query(sql`select from event_queues where user_id = ${harness.user(name).id}`))
    .length;

test("when a user has too many queues, the longest idle ones end, and no other user's", async () => {
  const foreign = await open("elin");
  const [used, held, first, second] = [
    await open("dev"),
    await open("dev"),
    await open("dev"),
    await open("dev"),
  ];
  await endExcess(second);
  expect(await countRows("dev")).toBe(LIMIT);
  used.lastSeenAt += 60_000;
  const holding = poll("dev", held, {});
  while (!held.held) await new Promise((resolve) => setImmediate(resolve));

  const newest = [await open("dev"), await open("dev")];
  await endExcess(newest[1] as Queue);
  for (const queue of [first, second]) {
    expect((await poll("dev", queue)).body.code).toBe("BAD_EVENT_QUEUE_ID");
  }
  for (const queue of [used, ...newest]) expect((await poll("dev", queue)).status).toBe(200);
  expect((await poll("elin", foreign)).status).toBe(200);
  expect(held.held).toBeDefined();
  expect(await countRows("dev")).toBe(LIMIT);

  await expectSuccess(harness.as("dev").delete("/events", { queue_id: held.id }));
  expect((await holding).body.events).toEqual([]);
});

test("queues that are registered at once leave no more than the limit", async () => {
  const queues = await Promise.all(Array.from({ length: 3 * LIMIT }, () => open("gus")));
  await Promise.all(queues.map(endExcess));
  const newest = await open("gus");
  await endExcess(newest);
  expect(queuesOf(harness.state).byUser.get(newest.userId)?.size).toBe(LIMIT);
  expect(await countRows("gus")).toBe(LIMIT);
  expect((await poll("gus", newest)).status).toBe(200);
});

test("queues of other nodes, and from before a restart, count too", async () => {
  const before = [];
  for (let each = 0; each < LIMIT; each++) before.push(await open("ben"));
  await harness.services.queues.save();
  for (const queue of before) harness.services.queues.forget(harness.state, queue);
  const newest = [await open("ben"), await open("ben"), await open("ben")];
  await endExcess(newest[2] as Queue);
  expect(await countRows("ben")).toBe(LIMIT);
  for (const queue of newest) expect((await poll("ben", queue)).status).toBe(200);
  expect((await poll("ben", before[0] as Queue)).body.code).toBe("BAD_EVENT_QUEUE_ID");
});

test("the bots of one person have a limit together, wherever they came from", async () => {
  const bots: Bot[] = [];
  for (let n = 0; n < 3; n++) bots.push(await makeBot(`Bot ${n}`));
  const [one, two, three] = bots as [Bot, Bot, Bot];
  const own = await open("dev");
  const first = [await one.open(), await one.open()];
  const second = [await two.open(), await two.open()];
  const count = async (bot: Bot) =>
    (await listExcessQueues(harness.state.database, harness.state.organizationId, [bot.id], 0)).length;
  const endExcessOfBots = (newest: Queue) =>
    endExcessQueues(harness.state, harness.services.queues, newest, {
      limit: LIMIT,
      userIds: bots.map(({ id }) => id),
    });
  const newest = await three.open();
  await endExcessOfBots(newest);
  expect([await count(one), await count(two), await count(three)]).toEqual([1, 2, 1]);
  expect(queuesOf(harness.state).byId.has(own.id)).toBe(true);
  expect(queuesOf(harness.state).byId.has((first[0] as Queue).id)).toBe(false);
  expect(second.every(({ id }) => queuesOf(harness.state).byId.has(id))).toBe(true);
});

test("a bot that registers ends queues of its owner's other bots past a thousand, and of no moved one", async () => {
  const [mine, moved] = [await makeBot("Mine"), await makeBot("Moved")];
  await expectSuccess(harness.as("ada").patch(`/bots/${moved.id}`, { bot_owner_id: harness.user("ben").id }));
  const fill = (bot: Bot, template: Queue) => {
    for (let n = 0; n < MAX_QUEUES_OF_BOTS; n++)
      harness.services.queues.add(
        harness.state,
        new Queue({ ...template, id: randomUUID(), lastSeenAt: n, userId: bot.id }),
      );
  };
  const size = (bot: Bot) => queuesOf(harness.state).byUser.get(bot.id)?.size ?? 0;
  fill(moved, await moved.open());
  const other = await makeBot("Other");
  fill(other, await other.open());
  await mine.open();
  expect(size(mine) + size(other)).toBeLessThanOrEqual(MAX_QUEUES_OF_BOTS);
  expect(size(mine)).toBe(1);
  expect(size(moved)).toBe(MAX_QUEUES_OF_BOTS + 1);
});

test("a user has at most 200 queues, and the bots of a person 1,000", () => {
  expect([MAX_QUEUES_OF_USER, MAX_QUEUES_OF_BOTS]).toEqual([200, 1000]);
});

test("a user who registers once too often loses the queue that was idle longest", async () => {
  const oldest = await open("cleo");
  oldest.lastSeenAt = 0;
  while ((queuesOf(harness.state).byUser.get(oldest.userId)?.size ?? 0) < MAX_QUEUES_OF_USER) {
    harness.services.queues.add(
      harness.state,
      new Queue({ ...oldest, id: randomUUID(), lastSeenAt: Date.now() }),
    );
  }
  const newest = await open("cleo");
  expect(queuesOf(harness.state).byUser.get(newest.userId)?.size).toBe(MAX_QUEUES_OF_USER);
  expect((await poll("cleo", oldest)).body.code).toBe("BAD_EVENT_QUEUE_ID");
  expect((await poll("cleo", newest)).status).toBe(200);
});
