import { afterEach, beforeEach, expect, test } from "vitest";
import type { OrganizationId, Position } from "../../../api/ids.ts";
import { createEmptyDatabase, type TestDatabase } from "../../../test/harness/postgres.ts";
import { Database } from "../db/database.ts";
import type { BusListener } from "./bus.ts";
import { PostgresBus } from "./postgres-bus.ts";

const one = 1 as OrganizationId;

let raw: TestDatabase;
let heard: number[];
/** Milliseconds that the nodes' clocks are ahead. */
let elapsed = 0;
const nodes: { bus: PostgresBus; database: Database }[] = [];

beforeEach(async () => {
  raw = await createEmptyDatabase();
  heard = [];
  elapsed = 0;
});

afterEach(async () => {
  for (const { bus, database } of nodes.splice(0)) {
    await bus.close();
    await database.close();
  }
  await raw.drop();
});

test("a node that is alone sends no notices, and starts to as soon as another node announces itself", async () => {
  const database = await Database.open(raw.connection, { pipelines: 1, laneSize: 1 });
  const listening = await database.connect();
  const all: string[] = [];
  listening.on("notification", ({ channel, payload = "" }) => all.push(`${channel} ${payload}`));
  await listening.query("listen parley_log; listen parley_nodes");
  const first = await node();
  elapsed = 3_000;
  expect(first.bus.isAlone).toBe(true);
  first.bus.publish(one, 5 as Position);
  const second = await node();
  await expect.poll(() => [first.bus.isAlone, second.bus.isAlone]).toEqual([false, false]);
  first.bus.publish(one, 6 as Position);
  await expect.poll(() => heard).toEqual([6]);
  await listening.end();
  await database.close();

  expect(all.filter((text) => text.startsWith("parley_log"))).toEqual([
    `parley_log ${first.database.node}:1=6`,
  ]);
  expect(all.filter((text) => text.endsWith(" come"))).toHaveLength(2);
});

test("a node does not believe that it is alone before others could answer", async () => {
  const { bus } = await node();
  expect(bus.isAlone).toBe(false);
  elapsed = 3_000;
  expect(bus.isAlone).toBe(true);
});

test("a node whose announcements no longer get through does not believe that it is alone", async () => {
  const { bus } = await node();
  elapsed = 3_000;
  expect(bus.isAlone).toBe(true);
  // As after a pause of the process, or while its network is cut off.
  elapsed = 60_000;
  expect(bus.isAlone).toBe(false);
});

test("a bus that does not listen still notifies others", async () => {
  await node();
  const database = await Database.open(raw.connection, { pipelines: 1, laneSize: 1 });
  const command = new PostgresBus(database, (error) => {
    throw error;
  });
  nodes.push({ bus: command, database });
  command.publish(one, 7 as Position);
  await expect.poll(() => heard).toEqual([7]);
});

/** Starts a node that records the heads that it receives. */
async function node() {
  const database = await Database.open(raw.connection, { pipelines: 1, laneSize: 1 });
  const fail = (error: unknown) => {
    throw error;
  };
  const bus = new PostgresBus(database, fail, () => performance.now() + elapsed);
  const listener: BusListener = { head: (_id, head) => heard.push(head), queues() {}, missed() {} };
  nodes.push({ bus, database });
  await bus.subscribe(listener);
  return { bus, database };
}
