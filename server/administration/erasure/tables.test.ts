import { afterAll, beforeAll, expect, test } from "vitest";
import { createHarness, type Harness } from "../../../test/harness/harness.ts";
import { sql } from "../../platform/db/sql.ts";
import { fates, personColumnsOf } from "./tables.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

/** Columns of these names have IDs of people, whether or not a foreign key says so. */
const PERSON = /(^|_)(user|sender|creator|author|owner|actor|acting_user|inviter|editor|guest|bot)_ids?$/;

/** The columns of each table that may have somebody's ID. */
async function listPersonColumns(): Promise<Map<string, Set<string>>> {
  const { database } = harness.services;
  const columns = await database.query<{ table: string; column: string; refers: boolean }>(sql`
    select c.relname as table, a.attname as column, exists (
      select from pg_constraint f
      where f.conrelid = c.oid and f.contype = 'f' and f.confrelid = 'users'::regclass and a.attnum = any(f.conkey)
        and a.attname <> 'organization_id'
    ) as refers
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition`);
  const tables = new Map<string, Set<string>>();
  for (const { table, column, refers } of columns) {
    const found = tables.get(table) ?? new Set();
    if (refers || PERSON.test(column)) found.add(column);
    tables.set(table, found);
  }
  return tables;
}

/** A sentence for each table and column that the list of fates does not have as it is. */
async function problems(): Promise<string[]> {
  const tables = await listPersonColumns();
  const missing = [...tables].flatMap(([table, columns]) => {
    const fate = fates[table];
    if (!fate)
      return [`The table ${table} is new: say in tables.ts what the erasure of a person does with it.`];
    const named = personColumnsOf(fate);
    return [...columns]
      .filter((column) => !named.includes(column))
      .map((column) => `${table}.${column} may have somebody's ID: its line in tables.ts has to name it.`);
  });
  const gone = Object.keys(fates).filter((table) => !tables.has(table));
  return [...missing, ...gone.map((table) => `There is no table ${table}: take it out of tables.ts.`)].sort();
}

test("each table of the database has its fate, and each column with somebody's ID is named", async () => {
  expect(await problems()).toEqual([]);
});

test("a new table and a new column have a sentence each", async () => {
  const { database } = harness.services;
  await database.query(sql`create table example_notes (organization_id bigint, user_id bigint)`);
  await database.query(sql`alter table topics add column creator_id bigint`);
  try {
    expect(await problems()).toEqual([
      expect.stringMatching(/^The table example_notes is new/),
      expect.stringMatching(/^topics\.creator_id/),
    ]);
  } finally {
    await database.query(sql`drop table example_notes`);
    await database.query(sql`alter table topics drop column creator_id`);
  }
});

test("each fate has a sentence or a column that the table has", async () => {
  const sentences = Object.values(fates).flatMap((fate) =>
    "keeps" in fate ? [fate.keeps] : "changes" in fate ? [fate.changes] : [],
  );
  expect(sentences.filter((text) => !/^[A-Z].*\.$/.test(text))).toEqual([]);
});
