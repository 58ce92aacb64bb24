import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../../test/harness/postgres.ts";
import { type WaitingSession, waitingSessions } from "../../../test/harness/waiting.ts";
import { Database, type Transaction } from "../db/database.ts";
import { sql } from "../db/sql.ts";
import { dropOldPartitions, keepEventPartitions } from "./partitions.ts";

const DAY_MS = 24 * 3600 * 1000;
const start = Date.parse("2030-03-01T22:00:00Z");

let testDatabase: TestDatabase;
let database: Database;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = await Database.open(testDatabase.connection);
});

afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

async function partitions(): Promise<string[]> {
  const rows = await database.query<{ name: string }>(sql`
    select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'events'::regclass order by 1`);
  return rows.map((row) => row.name);
}

test("today and the next three days have their partitions, however many servers start at once", async () => {
  await Promise.all(Array.from({ length: 4 }, () => keepEventPartitions(database, new Date(start))));
  expect(await partitions()).toEqual([
    "events_20300301",
    "events_20300302",
    "events_20300303",
    "events_20300304",
  ]);
});

test("the pages of a day's entries are marked as seen by all long before the day is full", async () => {
  const rows = await database.query<{ options: string[] | null }>(sql`
    select c.reloptions as options from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'events'::regclass`);
  for (const { options } of rows) expect(options).toEqual(["autovacuum_vacuum_insert_scale_factor=0.01"]);
});

test("an event is written on any of those days", async () => {
  for (const written of ["2030-03-01", "2030-03-04"]) {
    await database.query(sql`
      insert into events (organization_id, position, written_on, type, payload, audience)
      values (1, ${written === "2030-03-01" ? 1 : 2}, ${written}, 'test', '{}', '{}')`);
  }
  const [row] = await database.query<{ count: number }>(sql`select count(*)::int as count from events`);
  expect(row?.count).toBe(2);
});

test("a day's partition is dropped once no queue can need it, and not before", async () => {
  await dropOldPartitions(database, new Date(start + 8 * DAY_MS));
  expect(await partitions()).toContain("events_20300301");
  await dropOldPartitions(database, new Date(start + 9 * DAY_MS));
  expect(await partitions()).not.toContain("events_20300301");
  expect(await countEvents()).toBe(1);
});

test("partitions are added and dropped while a long transaction writes to the log, and other writes go on", async () => {
  const later = new Date(start + 11 * DAY_MS);
  const write = (client: Pick<Transaction, "query">, position: number) =>
    client.query(sql`
      insert into events (organization_id, position, written_on, type, payload, audience)
      values (1, ${position}, '2030-03-04', 'test', '{}', '{}')`);
  const writer = await holdTransaction(async (tx) => {
    await write(tx, 10);
  });
  await keepEventPartitions(database, later);
  expect(await partitions()).toContain("events_20300315");
  const dropping = dropOldPartitions(database, later);
  await expect.poll(waitingDetaches).toHaveLength(1);
  await write(database, 11);
  expect(await countEvents()).toBe(2);
  await writer.end();
  await dropping;
  expect(await partitions()).not.toContain("events_20300302");
  expect(await countEvents()).toBe(3);
});

test("a drop that was interrupted is finished by the next one", async () => {
  const writer = await holdTransaction(async (tx) => {
    await tx.query(sql`select from events`);
  });
  const later = new Date(start + 12 * DAY_MS);
  const interrupted = dropOldPartitions(database, later).catch((error) => error.code);
  await expect.poll(waitingDetaches).toHaveLength(1);
  const [detach] = await waitingDetaches();
  await database.query(sql`select pg_cancel_backend(${detach?.id}::int)`);
  expect(await interrupted).toBe("57014");
  await writer.end();
  await dropOldPartitions(database, later);
  expect(await partitions()).not.toContain("events_20300303");
});

async function countEvents(): Promise<number | undefined> {
  const [row] = await database.query<{ count: number }>(sql`select count(*)::int as count from events`);
  return row?.count;
}

/** Does `work` in a transaction that stays open until `end` is called. */
async function holdTransaction(work: (tx: Transaction) => Promise<void>) {
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  let done: Promise<void> | undefined;
  await new Promise<void>((begun) => {
    done = database.transaction(async (tx) => {
      await work(tx);
      begun();
      await ended;
    });
  });
  return {
    end: () => {
      end();
      return done;
    },
  };
}

async function waitingDetaches(): Promise<WaitingSession[]> {
  return (await waitingSessions(database)).filter(({ statement }) => statement.includes("detach partition"));
}
