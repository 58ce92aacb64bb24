import { afterEach, beforeEach, expect, test } from "vitest";
import type { OrganizationId, Position } from "../../../api/ids.ts";
import { createEmptyDatabase, type TestDatabase } from "../../../test/harness/postgres.ts";
import { Database } from "../db/database.ts";
import type { BusListener } from "./bus.ts";
import { PostgresBus } from "./postgres-bus.ts";

const soon = { timeout: 15_000 };
const one = 1 as OrganizationId;

let raw: TestDatabase;
let heard: number[];
const nodes: { bus: PostgresBus; database: Database }[] = [];

beforeEach(async () => {
  raw = await createEmptyDatabase();
  heard = [];
});

afterEach(async () => {
  for (const { bus, database } of nodes.splice(0)) {
    await bus.close();
    await database.close();
  }
  await raw.drop();
});

test("a node that is alone sends no notices, and starts to as soon as another node announces itself", async () => {
  const database = await Database.open(raw.connection, { pipelines: 1, poolSize: 1 });
  const listening = await database.connect();
  const all: string[] = [];
  listening.on("notification", ({ channel, payload = "" }) => all.push(`${channel} ${payload}`));
  await listening.query("listen parley_log; listen parley_nodes");
  const first = await node();
  first.bus.publish(one, 5 as Position);
  const second = await node();
  await expect.poll(() => [first.bus.isAlone, second.bus.isAlone], soon).toEqual([false, false]);
  first.bus.publish(one, 6 as Position);
  await expect.poll(() => heard, soon).toEqual([6]);
  await listening.end();
  await database.close();

  expect(all.filter((text) => text.startsWith("parley_log"))).toEqual([
    `parley_log ${first.database.node}:1=6`,
  ]);
  expect(all.filter((text) => text.endsWith(" come"))).toHaveLength(2);
});

test("a bus that does not listen still notifies others", async () => {
  await node();
  const database = await Database.open(raw.connection, { pipelines: 1, poolSize: 1 });
  const command = new PostgresBus(database, (error) => {
    throw error;
  });
  nodes.push({ bus: command, database });
  command.publish(one, 7 as Position);
  await expect.poll(() => heard, soon).toEqual([7]);
});

/** Starts a node that records the heads that it receives. */
async function node() {
  const database = await Database.open(raw.connection, { pipelines: 1, poolSize: 1 });
  const bus = new PostgresBus(database, (error) => {
    throw error;
  });
  const listener: BusListener = { head: (_id, head) => heard.push(head), queues() {}, missed() {} };
  nodes.push({ bus, database });
  await bus.subscribe(listener);
  return { bus, database };
}
