import { afterAll, beforeAll, expect, test } from "vitest";
import { DatabaseGate } from "../../../test/harness/database-gate.ts";
import { createHarness, type Harness } from "../../../test/harness/harness.ts";
import { Node } from "../../../test/harness/node.ts";
import { untilWaiting } from "../../../test/harness/waiting.ts";
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

test("changes that waited on a node when it stopped do not get the lock after it", { timeout }, async () => {
  let waiting: Promise<unknown>[] = [];
  const holding = runStateChange(stopped.state, async (tx) => {
    await nothing(tx);
    waiting = [1, 2, 3].map(() => runLocked(stopped.state, nothing));
    await untilWaiting(harness.state.database, waiting.length);
    gate.cutOff();
    await Promise.all([runStateChange(harness.state, nothing), runLocked(harness.state, nothing)]);
    gate.reconnect();
    await nothing(tx);
  });
  // PostgreSQL has ended it.
  await expect(holding).rejects.toThrow("idle-in-transaction timeout");
  // One that had got the lock would have been ended like that, too, eight seconds later.
  for (const outcome of await Promise.allSettled(waiting)) {
    expect(`${"reason" in outcome ? outcome.reason : "done"}`).not.toContain("idle-in-transaction");
  }
  await expect.poll(() => runLocked(stopped.state, nothing).catch((error) => error)).toEqual([{}]);
});
