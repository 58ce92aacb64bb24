import { afterAll, beforeAll, expect, test } from "vitest";
import { DatabaseGate } from "../../../test/harness/database-gate.ts";
import { createHarness, type Harness } from "../../../test/harness/harness.ts";
import { Node } from "../../../test/harness/node.ts";
import { sql } from "../db/sql.ts";
import { type Change, runLocked, runStateChange } from "./change.ts";

const timeout = 90_000;

let harness: Harness;
let gate: DatabaseGate;
/** Its connections go through the gate. */
let stopped: Node;

beforeAll(async () => {
  harness = await createHarness();
  const { config, database } = harness.services;
  gate = await DatabaseGate.open(database.connection);
  const { organizationId } = harness.state;
  stopped = await Node.start(config, gate.connection, { organizationId });
});

afterAll(async () => {
  await stopped.crash();
  await gate.remove();
  await harness.close();
});

const nothing = (tx: Change) => tx.query(sql`select`);

/** How many sessions of this database wait for an advisory lock. */
async function countWaiting(): Promise<number> {
  const rows = await harness.state.database.query(sql`
    select from pg_locks where locktype = 'advisory' and not granted
      and database = (select oid from pg_database where datname = current_database())`);
  return rows.length;
}

test("changes that waited on a node when it stopped do not get the lock after it", { timeout }, async () => {
  let goOn = () => {};
  const isOver = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  let hasBegun = () => {};
  const begun = new Promise<void>((resolve) => {
    hasBegun = resolve;
  });
  const holding = runStateChange(stopped.state, async (tx) => {
    await nothing(tx);
    hasBegun();
    await isOver;
    await nothing(tx);
  });
  await begun;
  const waiting = [1, 2, 3].map(() => runLocked(stopped.state, nothing));
  await expect.poll(countWaiting).toBe(3);
  gate.cutOff();
  const startedAt = performance.now();
  await Promise.all([runStateChange(harness.state, nothing), runLocked(harness.state, nothing)]);
  expect(performance.now() - startedAt).toBeLessThan(15_000);
  gate.reconnect();
  goOn();
  // PostgreSQL has ended it.
  await expect(holding).rejects.toThrow();
  await Promise.allSettled(waiting);
  await expect.poll(() => runLocked(stopped.state, nothing).catch((error) => error)).toEqual([{}]);
});
