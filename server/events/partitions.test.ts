import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../test/postgres.ts";
import { Database } from "../db/database.ts";
import { sql } from "../db/sql.ts";
import { keepEventPartitions } from "./partitions.ts";

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

test("today and the next three days have their partitions, however many servers begin at once", async () => {
  await Promise.all(Array.from({ length: 4 }, () => keepEventPartitions(database, new Date(start))));
  expect(await partitions()).toEqual([
    "events_20300301",
    "events_20300302",
    "events_20300303",
    "events_20300304",
  ]);
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

test("a day goes as a whole when no queue can need it any more, and not before", async () => {
  await keepEventPartitions(database, new Date(start + 8 * DAY_MS));
  expect(await partitions()).toContain("events_20300301");
  await keepEventPartitions(database, new Date(start + 9 * DAY_MS));
  expect(await partitions()).not.toContain("events_20300301");
  const [row] = await database.query<{ count: number }>(sql`select count(*)::int as count from events`);
  expect(row?.count).toBe(1);
});
