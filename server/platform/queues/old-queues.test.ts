import { afterAll, beforeAll, expect, test } from "vitest";
import { createHarness, type Harness } from "../../../test/harness/harness.ts";
import { dropOldPartitions, keepEventPartitions } from "../log/partitions.ts";
import { queuesOf } from "./organization-queues.ts";
import type { Queue } from "./queue.ts";

const DAY_MS = 24 * 3600 * 1000;

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness?.close());

async function open(): Promise<{ id: string; last: number }> {
  const { body } = await harness.as("dev").post("/register", { fetch_event_types: [] });
  return { id: body.queue_id, last: body.last_event_id };
}

const poll = ({ id, last }: { id: string; last: number }) =>
  harness.as("dev").get("/events", { queue_id: id, last_event_id: last, dont_block: true });

/** Makes the queue cold and clears the recent entries, as when the queue was idle for long. */
function forget({ id }: { id: string }): void {
  const queue = queuesOf(harness.state).byId.get(id) as Queue;
  queue.isCold = true;
  queue.pending = [];
  harness.state.recent.clear();
}

test("a queue whose part of the log was dropped is unknown, and one that does not need that part goes on", async () => {
  const old = await open();
  await harness.channel("before", ["ada", "dev"]);
  const say = (content: string) =>
    harness.as("ada").post("/messages", { type: "channel", to: "before", topic: "t", content });
  // This message starts the topic. Its sender may then follow the topic, which is an event of its own.
  await say("first");
  const young = await open();
  const { body: message } = await say("after");
  for (const queue of [old, young]) forget(queue);

  // Today's part of the log is dropped, as it would be after a long stop or by a clock that is days ahead.
  await dropOldPartitions(harness.state.database, new Date(Date.now() + 10 * DAY_MS));
  await keepEventPartitions(harness.state.database);

  const { status, body } = await poll(old);
  expect([status, body.code, body.queue_id]).toEqual([400, "BAD_EVENT_QUEUE_ID", old.id]);
  expect(queuesOf(harness.state).byId.has(old.id)).toBe(false);
  const kept = (await poll(young)).body.events;
  expect(kept.map((event: { type: string; id: number }) => [event.type, event.id])).toEqual([
    ["message", message.id],
  ]);
});
