import { expect, test } from "vitest";
import type { Position, UserId } from "../../../api/ids.ts";
import { makeQueue } from "../../../test/harness/queue.ts";
import { everyone, logEntry } from "../log/log-entry.ts";
import type { OrganizationState } from "../log/organization-state.ts";
import { Dispatcher } from "./dispatcher.ts";
import { OrganizationQueues } from "./organization-queues.ts";
import type { Queue } from "./queue.ts";

const LISTENERS = 300;

/** Listeners that all hold a poll. `answered` gets the ids of the queues in the order of their answers. */
function listeners(slowMs: number) {
  const answered: string[] = [];
  const queues = new OrganizationQueues();
  const all = Array.from({ length: LISTENERS }, (_, index) => {
    const queue = makeQueue(String(index), index as UserId);
    queue.held = () => {
      const endsAt = performance.now() + slowMs;
      while (performance.now() < endsAt);
      answered.push(queue.id);
    };
    queues.add(queue);
    return queue;
  });
  const state = { get: () => queues } as unknown as OrganizationState;
  const dispatcher = new Dispatcher({
    audiences: [
      {
        to: "everyone",
        queues: () => all,
        reader: async () => () => true,
      },
    ],
    serializers: [],
    replayFilters: [],
  });
  const dispatch = (position: number) =>
    dispatcher.dispatch(state, logEntry(position as Position, { type: "test_note" }, everyone));
  return { all, answered, dispatcher, dispatch };
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

test("polls are answered after the work that follows a commit, in slices between which others get their turn", async () => {
  const { answered, dispatcher, dispatch } = listeners(0.2);
  dispatch(1);
  dispatcher.flush();
  await Promise.resolve();
  expect(answered).toEqual([]);
  let turns = 0;
  while (answered.length < LISTENERS) {
    await turn();
    turns++;
  }
  expect(turns).toBeGreaterThan(3);
  expect(new Set(answered).size).toBe(LISTENERS);
});

test("an answer carries what arrived while it waited for its turn", async () => {
  const { all, dispatcher, dispatch } = listeners(0);
  const last = all[LISTENERS - 1] as Queue;
  const ids: number[] = [];
  last.held = (deliveries) => ids.push(...deliveries.map(({ position }) => position));
  dispatch(1);
  dispatcher.flush();
  dispatch(2);
  dispatcher.flush();
  while (ids.length === 0) await turn();
  expect(ids).toEqual([1, 2]);
});
