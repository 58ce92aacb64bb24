import { setImmediate as nextTurn } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Queryable } from "../../server/platform/db/database.ts";
import { joinSql, prepare, sql } from "../../server/platform/db/sql.ts";
import { expectSuccess, sayIn } from "../harness/answers.ts";
import { createHarness, type Harness } from "../harness/harness.ts";
import { compare } from "./compare.ts";
import { CostMeter } from "./cost-meter.ts";
import { countStatements, watchStatements } from "./statement-count.ts";

let harness: Harness;
let meter: CostMeter;
let unwatch: () => void;
beforeAll(async () => {
  unwatch = watchStatements();
  harness = await createHarness();
  await harness.channel("costs", ["dev", "elin"]);
  await harness.services.database.query(sql`create table counted (id int)`);
  meter = await CostMeter.open(harness);
});
afterAll(async () => {
  await meter.close();
  unwatch();
  await harness.close();
});

const database = () => harness.services.database;
const say = sayIn(() => harness);
const one = (db: Queryable) => db.query(sql`select id from users limit 1`);
const two = (db: Queryable) => db.query(sql`select id from channels where id = 0`);
async function count(work: () => Promise<unknown>) {
  return (await countStatements(work)).count;
}

test("each statement is counted by its name, with the rows that it returns", async () => {
  expect(await count(() => one(database()))).toEqual({
    statements: ["select users"],
    roundTrips: 1,
    rowsReceived: 1,
  });
  const both = await count(async () => {
    await one(database());
    await two(database());
  });
  expect(both).toEqual({ statements: ["select users", "select channels"], roundTrips: 2, rowsReceived: 1 });
});

test("statements that are sent together are one round trip", async () => {
  const { statements, roundTrips } = await count(() => Promise.all([one(database()), two(database())]));
  expect(statements).toHaveLength(2);
  expect(roundTrips).toBe(1);
});

test("a statement after several that were sent together is one more round trip", async () => {
  const { roundTrips } = await count(() =>
    database().transaction(async (tx) => {
      await Promise.all([one(tx), two(tx)]);
      await one(tx);
    }),
  );
  // Begin, the two, the third, commit.
  expect(roundTrips).toBe(4);
});

test("a last statement that is sent with its commit, and a first one with its begin, are one round trip", async () => {
  const { statements, roundTrips } = await count(() =>
    database().transaction((tx) => tx.commitWith(sql`select id from users`), {
      lead: [sql`select id from channels`],
    }),
  );
  expect(statements).toEqual(["begin", "select channels", "select users", "commit"]);
  expect(roundTrips).toBe(2);
});

test("nobody waits for the end of a snapshot, so it is a statement and no round trip", async () => {
  const { statements, roundTrips } = await count(() => database().snapshot((tx) => one(tx)));
  expect(statements).toEqual(["begin", "select users", "commit"]);
  expect(roundTrips).toBe(1);
});

test("a statement that is planned at each call is told apart", async () => {
  const composed = () => joinSql([sql`select id from users`, sql`select 0`], " union all ");
  expect((await count(() => database().query(composed()))).statements).toEqual(["select users (unnamed)"]);
  expect((await count(() => database().query(prepare(composed())))).statements).toEqual(["select users"]);
});

test("what is sent elsewhere meanwhile, or by the work after its end, is not counted", async () => {
  let isOver = false;
  const elsewhere = (async () => {
    while (!isOver) await two(database());
  })();
  let late: Promise<unknown> | undefined;
  const { statements } = await count(async () => {
    late = nextTurn(undefined).then(async () => {
      while (!isOver) await nextTurn();
      await two(database());
    });
    await one(database());
  });
  isOver = true;
  await Promise.all([elsewhere, late]);
  expect(statements).toEqual(["select users"]);
});

test("rows that are inserted, updated and deleted are counted by their table, and records of the WAL", async () => {
  const { costs } = await meter.costsOf(async () => {
    await database().query(sql`insert into counted (id) select generate_series(1, 3)`);
    await database().query(sql`update counted set id = 0 where id > 1`);
    await database().query(sql`delete from counted where id = 1`);
  });
  expect(costs.rowsWritten).toEqual({ counted: 6 });
  // A record for each row and for each commit.
  expect(costs.walRecords).toBeGreaterThanOrEqual(9);
  expect(costs.walBytes).toBeGreaterThan(0);
  const { costs: reading } = await meter.costsOf(() => one(database()));
  expect([reading.rowsWritten, reading.walRecords, reading.walBytes]).toEqual([{}, 0, 0]);
});

test("the events of both members are counted, with their bytes", async () => {
  // The first message in a topic also makes its sender follow it.
  await say("dev", "costs");
  const { costs, value: id } = await meter.costsOf(() => say("dev", "costs"));
  expect(costs.events.map(({ who, event }) => `${who}: ${event}`)).toEqual([
    "caller: message",
    "other: message",
  ]);
  for (const { bytes } of costs.events) expect(bytes).toBeGreaterThan(100);
  const star = () =>
    expectSuccess(harness.as("dev").post("/messages/flags", { op: "add", flag: "starred", messages: [id] }));
  const { costs: starred } = await meter.costsOf(star);
  expect(starred.events.map(({ who, event }) => `${who}: ${event}`)).toEqual([
    "caller: update_message_flags/add",
  ]);
});

test("a verb that does more than before differs in statements, round trips, rows and events", async () => {
  const { costs: before } = await meter.costsOf(() => say("dev", "costs"));
  const { costs: now } = await meter.costsOf(async () => {
    const id = await say("dev", "costs");
    await expectSuccess(harness.as("elin").post(`/messages/${id}/reactions`, { emoji_name: "tada" }));
  });
  const differences = compare({ send: before }, { send: now });
  expect(differences.every(({ isDearer }) => isDearer)).toBe(true);
  const changed = differences.map(({ change }) => change.replace(/ \d+ → \d+$/, ""));
  for (const figure of [
    "statements",
    'statement "delete reactions, insert reactions"',
    "round trips in sequence",
    "rows written to reactions",
    "records of the WAL",
    "reaction/add events of the other",
  ])
    expect(changed).toContain(figure);
});
