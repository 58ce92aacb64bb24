import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { expectSuccess } from "../../../test/harness/answers.ts";
import { type CastName, createHarness, type Harness } from "../../../test/harness/harness.ts";
import { sql } from "../db/sql.ts";
import { queuesOf } from "./organization-queues.ts";
import { Queue } from "./queue.ts";
import { endExcessQueues, MAX_QUEUES_OF_USER } from "./queue-limit.ts";

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

const poll = (name: CastName, { id }: Queue, params: Record<string, unknown> = { dont_block: true }) =>
  harness.as(name).get("/events", { queue_id: id, last_event_id: -1, ...params });

const endExcess = (newest: Queue) => endExcessQueues(harness.state, harness.services.queues, newest, LIMIT);

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

test("a user has at most 200 queues", () => {
  expect(MAX_QUEUES_OF_USER).toBe(200);
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
