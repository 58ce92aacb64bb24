import { afterEach, expect, test } from "vitest";
import { createEmptyDatabase } from "../../../test/harness/postgres.ts";
import { Database } from "./database.ts";
import { Sql, sql } from "./sql.ts";

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function open(plansKeptMs: number): Promise<Database> {
  const raw = await createEmptyDatabase();
  ends.push(() => raw.drop());
  const database = await Database.open(raw.connection, {
    pipelines: 1,
    laneSize: 1,
    limits: { plansKeptMs },
  });
  ends.push(() => database.close());
  await database.query(sql`
    create table stars (person int, message int, primary key (person, message)) with (autovacuum_enabled = off)`);
  await database.query(sql`insert into stars values (1, 1)`);
  await database.query(sql`analyze stars`);
  return database;
}

/** How the statement is run that was prepared while the table had one row, after it has got 50,000. */
async function planAfterGrowth(database: Database): Promise<string> {
  const look = () =>
    sql`select 1 from unnest(${[7]}::int[]) listed (id) cross join lateral (
      select from stars where person = ${1} and message = listed.id offset 0) star`;
  const { name } = look();
  // PostgreSQL keeps the plan for all values from the sixth time on.
  for (let count = 0; count < 6; count++) await database.transaction((tx) => tx.query(look()));
  await database.query(sql`insert into stars select 1, n from generate_series(2, 50000) n`);
  return database.transaction(async (tx) => {
    const rows = await tx.query(new Sql(`explain execute ${name} ('{7}', 1)`, [], undefined));
    return JSON.stringify(rows);
  });
}

test("a statement that was planned for a small table is planned again when the table has grown", async () => {
  const plan = await planAfterGrowth(await open(0));
  expect(plan).toContain("Index");
  expect(plan).not.toContain("Seq Scan on stars");
});

test("PostgreSQL alone keeps the plan, and reads the whole table", async () => {
  expect(await planAfterGrowth(await open(1_000_000))).toContain("Seq Scan on stars");
});
