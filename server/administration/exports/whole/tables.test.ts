import { afterAll, beforeAll, expect, test } from "vitest";
import { createHarness, type Harness } from "../../../../test/harness/harness.ts";
import { sql } from "../../../platform/db/sql.ts";
import { sqlTypeOf } from "./columns.ts";
import { tablesLeftOut, wholeTables } from "./tables.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

/** `TABLE.COLUMN TYPE`, with `?` for one that may be null. The first column tells organizations apart. */
async function listColumns(): Promise<Map<string, Set<string>>> {
  const rows = await harness.services.database.query<{ table: string; column: string }>(sql`
    select c.relname as table,
      a.attname || ' ' || format_type(a.atttypid, null) || case when a.attnotnull then '' else '?' end as column
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and a.attname <> 'organization_id'`);
  const tables = new Map<string, Set<string>>();
  for (const { table, column } of rows) tables.set(table, (tables.get(table) ?? new Set()).add(column));
  return tables;
}

async function problems(): Promise<string[]> {
  const tables = await listColumns();
  const found: string[] = [];
  for (const name of tables.keys()) {
    const count = wholeTables.filter((table) => table.name === name).length + (tablesLeftOut[name] ? 1 : 0);
    if (count !== 1)
      found.push(`The table ${name} must be named once in whole/tables.ts: carried, or why not.`);
  }
  const named = [...wholeTables.map(({ name }) => name), ...Object.keys(tablesLeftOut)];
  for (const name of named) if (!tables.has(name)) found.push(`There is no table ${name}.`);
  for (const table of wholeTables) {
    const real = tables.get(table.name) ?? new Set();
    const carried = table.columns.map(
      (column) => `${column.name} ${sqlTypeOf(column)}${column.isNullable ? "?" : ""}`,
    );
    for (const column of carried) if (!real.has(column)) found.push(`${table.name} has no ${column}.`);
    for (const column of real) {
      const [name = ""] = column.split(" ");
      if (carried.includes(column) || table.leftOut[name]) continue;
      found.push(`${table.name}.${column} is not carried: name it in whole/tables.ts, or why not.`);
    }
  }
  return found.sort();
}

test("a whole export has each column of each table, or a reason why not", async () => {
  expect(await problems()).toEqual([]);
  const reasons = [tablesLeftOut, ...wholeTables.map(({ leftOut }) => leftOut)].flatMap(Object.values);
  expect(reasons.filter((reason) => !/^[A-Z].*\.$/.test(reason))).toEqual([]);
});

test("a new table and a new column have a sentence each", async () => {
  const { database } = harness.services;
  await database.query(sql`create table example_notes (organization_id bigint, user_id bigint)`);
  await database.query(sql`alter table topics add column example_color text`);
  try {
    expect(await problems()).toEqual([
      expect.stringMatching(/^The table example_notes must be named once/),
      expect.stringMatching(/^topics\.example_color text\? is not carried/),
    ]);
  } finally {
    await database.query(sql`drop table example_notes`);
    await database.query(sql`alter table topics drop column example_color`);
  }
});

test("a row names rows only of tables that come before its own, unless they may be gone", () => {
  const before = new Set<string>();
  const late: string[] = [];
  for (const { name, columns } of wholeTables) {
    for (const column of columns) {
      const refers = column.kind === "row" || column.kind === "rows";
      if (refers && !column.mayBeGone && !before.has(column.table)) late.push(`${name}.${column.name}`);
    }
    before.add(name);
  }
  expect(late).toEqual([]);
});
