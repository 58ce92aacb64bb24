import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createHarness, type Harness } from "../../../test/harness/harness.ts";
import type { LockedSession } from "../db/database.ts";
import { DatabaseUnavailable } from "../db/database-unavailable.ts";
import { sql } from "../db/sql.ts";
import { runLocked } from "./change.ts";
import { StateChangeQueue } from "./state-change-queue.ts";

let harness: Harness;
let queue: StateChangeQueue;

beforeEach(async () => {
  harness = await createHarness();
  queue = new StateChangeQueue(harness.state);
});

afterEach(async () => {
  vi.restoreAllMocks();
  await harness.close();
});

/** Takes so long, in PostgreSQL. */
const sleep = (ms: number) => (session: LockedSession) =>
  session.transaction((tx) => tx.query(sql`select pg_sleep(${ms / 1000})`));

test("changes that wait share the lock, in the order in which they came", async () => {
  const taken = vi.spyOn(harness.services.database, "lockedSession");
  // They would also share it in turns, if the machine were so busy that they take long.
  vi.spyOn(performance, "now").mockReturnValue(performance.now());
  const done: number[] = [];
  const changes = Array.from({ length: 10 }, (_, index) =>
    queue.run(async (session) => {
      await sleep(1)(session);
      done.push(index);
    }),
  );
  await Promise.all(changes);
  expect(done).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect(taken.mock.calls.length).toBeLessThan(5);
});

test("content changes get the lock between the changes of a flood", async () => {
  let isThrough = false;
  // Three change things in a loop, so at all times some changes wait.
  const flood = [1, 2, 3].map(async () => {
    while (!isThrough) await queue.run(sleep(50));
  });
  await runLocked(harness.state, async (tx) => tx.query(sql`select`));
  expect(queue.isCrowded).toBe(true);
  isThrough = true;
  await Promise.all(flood);
});

test("a change that fails does not affect those that wait behind it", async () => {
  const failing = queue.run((session) => session.transaction((tx) => tx.query(sql`select 1 / 0`)));
  const next = queue.run((session) => session.transaction((tx) => tx.query(sql`select 1 as one`)));
  await expect(failing).rejects.toThrow("division by zero");
  expect(await next).toEqual([{ one: 1 }]);
});

test("changes go on with another connection when theirs breaks", async () => {
  const breaking = queue.run((session) =>
    session.transaction(async (tx) => {
      await tx.query(sql`select pg_terminate_backend(pg_backend_pid())`);
    }),
  );
  const next = queue.run((session) => session.transaction((tx) => tx.query(sql`select 1 as one`)));
  await expect(breaking).rejects.toBeInstanceOf(DatabaseUnavailable);
  expect(await next).toEqual([{ one: 1 }]);
});
