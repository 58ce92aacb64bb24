import { afterAll, beforeAll, expect, test } from "vitest";
import { createHarness, type Harness } from "../../../test/harness/harness.ts";
import type { Queryable } from "../db/database.ts";
import { sql } from "../db/sql.ts";
import { HeartbeatIds } from "./heartbeat-ids.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness?.close());

/** Fresh ids, and how many statements were sent for them. */
function counting(): { ids: HeartbeatIds; statements: () => number } {
  let count = 0;
  const db: Queryable = {
    query(statement) {
      count++;
      return harness.services.database.query(statement);
    },
  };
  return { ids: new HeartbeatIds(db), statements: () => count };
}

test("all heartbeats that are due together get their ids by one statement, in all organizations", async () => {
  const { state, otherState } = harness;
  const before = [state.position, otherState.position];
  const { ids, statements } = counting();
  await Promise.all([ids.next(state), ids.next(otherState), ids.next(state)]);
  expect(statements()).toBe(1);
  expect([state.position, otherState.position]).toEqual(before.map((position) => position + 1));
  await ids.next(state);
  expect(statements()).toBe(2);
  expect((await state.readHeads(state.database)).head).toBe(state.position);
});

test("an organization whose log is being written to holds up no other, and gets its id afterwards", async () => {
  const { state, otherState } = harness;
  const before = state.position;
  const { ids } = counting();
  let isDone = false;
  let late: Promise<void> = Promise.resolve();
  await state.database.transaction(async (tx) => {
    await tx.query(sql`
      select from organization_logs where organization_id = ${state.organizationId} for update`);
    late = ids.next(state).then(() => {
      isDone = true;
    });
    await ids.next(otherState);
    expect(isDone).toBe(false);
  });
  await late;
  expect(state.position).toBe(before + 1);
});

test("what another change wrote meanwhile serves as the id", async () => {
  const { state } = harness;
  const { ids, statements } = counting();
  const waiting = ids.next(state);
  // Before the statement is sent, which takes a turn of the event loop.
  state.committed(state.position, () => [], (state.position + 1) as typeof state.position);
  await waiting;
  expect(statements()).toBe(0);
});
