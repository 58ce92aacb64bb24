import { afterAll, beforeAll, expect, test } from "vitest";
import { createHarness, type Harness } from "../../../test/harness/harness.ts";
import { Node } from "../../../test/harness/node.ts";
import { sql } from "../db/sql.ts";
import { renewEpochIfRestored } from "./timeline.ts";

let harness: Harness;
let node: Node;

beforeAll(async () => {
  harness = await createHarness();
  node = await Node.start(harness.services.config, harness.services.database.connection, {
    organizationId: harness.state.organizationId,
  });
});

afterAll(async () => {
  await node.stop();
  await harness.close();
});

const renew = (place?: string) =>
  harness.services.database.transaction((tx) => renewEpochIfRestored(tx, place));
const queues = () => harness.services.database.query(sql`select id from event_queues`);
const epochs = () => harness.services.database.query(sql`select epoch from organization_logs order by 1`);

test("a start on the same database keeps the epoch and the queues", async () => {
  await node.open("elin@demo.test");
  const before = { queues: await queues(), epochs: await epochs() };
  expect(await renew("one place")).toBe(false);
  expect(await renew("one place")).toBe(false);
  expect(await renew()).toBe(false);
  expect({ queues: await queues(), epochs: await epochs() }).toEqual(before);
});

test("a copy of the data directory begins a new epoch, without the queues of before", async () => {
  await node.open("elin@demo.test");
  const before = await epochs();
  expect(await renew("another place")).toBe(true);
  expect(await queues()).toEqual([]);
  expect(await epochs()).not.toEqual(before);
  expect(await renew("another place")).toBe(false);
});

test("a server that meets another epoch of the log stops trusting its memory", async () => {
  let isReplaced = false;
  void node.services.database.replaced.then(() => {
    isReplaced = true;
  });
  await harness.services.database.query(sql`update log_timeline set timeline = 'restored/00000001'`);
  expect(await renew()).toBe(true);
  await expect(node.state.catchUp()).rejects.toThrow("can't be reached");
  expect(isReplaced).toBe(true);
});
