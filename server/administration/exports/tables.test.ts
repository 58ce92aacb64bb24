import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createHarness, type Harness } from "../../../test/harness/harness.ts";
import type { ModuleExports } from "../../module-exports.ts";
import { exportsOfModules } from "../../modules.ts";
import { sql } from "../../platform/db/sql.ts";

const server = fileURLToPath(new URL("../..", import.meta.url));

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

/** The tables of the database's catalogue, without the partitions that tables are made of. */
async function listTables(): Promise<string[]> {
  const rows = await harness.services.database.query<{ name: string }>(sql`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
    order by relname`);
  return rows.map(({ name }) => name);
}

/** A sentence for each table that has not exactly one place, and for each name that is no table. */
function problemsOf(tables: readonly string[], given: readonly ModuleExports[]): string[] {
  const named = given.flatMap((module) => [...module.tables, ...Object.keys(module.leftOut)]);
  const problems = tables.flatMap((table) => {
    const count = named.filter((name) => name === table).length;
    if (count === 1) return [];
    const places = count === 0 ? `no exports.ts of a module names it` : `${count} places name it`;
    return [
      `The table ${table}: ${places}. Name it once in ${fileFor(table)}: in "tables" if its module gives records of it, else in "leftOut" with the reason.`,
    ];
  });
  const unknown = named.filter((name) => !tables.includes(name));
  return [...problems, ...unknown.map((name) => `There is no table ${name}: take it out of exports.ts.`)];
}

/** That of the module that writes its rows. */
function fileFor(table: string): string {
  const insert = new RegExp(`insert into ${table}\\b`);
  const stores = readdirSync(server, { recursive: true, encoding: "utf8" }).filter((name) =>
    /store\.ts$/.test(name),
  );
  const store = stores.find((name) => insert.test(readFileSync(join(server, name), "utf8")));
  const module = store?.split(/[\\/]/)[0] ?? "MODULE";
  return module === "platform" ? "server/administration/exports.ts" : `server/${module}/exports.ts`;
}

test("each table is in exports, or left out of them with a reason, and one module says so", async () => {
  expect(problemsOf(await listTables(), exportsOfModules())).toEqual([]);
  const reasons = exportsOfModules().flatMap(({ leftOut }) => Object.values(leftOut));
  expect(reasons.filter((reason) => !/^[A-Z].*\.$/.test(reason))).toEqual([]);
});

test("a table that nobody names, one that two name, and one that is gone have a sentence each", async () => {
  const { database } = harness.services;
  await database.query(sql`create table later_notes (organization_id bigint)`);
  const given = exportsOfModules().map((one) => ({
    ...one,
    tables: one.tables.filter((table) => table !== "reactions"),
  }));
  const twice: ModuleExports = { tables: ["users"], leftOut: { old_notes: "They are old." } };
  try {
    expect(problemsOf(await listTables(), [...given, twice])).toEqual([
      expect.stringMatching(
        /^The table later_notes: no exports\.ts of a module names it\..*server\/MODULE\//,
      ),
      expect.stringMatching(
        /^The table reactions: no exports\.ts.*once in server\/messages\/exports\.ts: in/,
      ),
      expect.stringMatching(/^The table users: 2 places name it\..*server\/people\/exports\.ts/),
      "There is no table old_notes: take it out of exports.ts.",
    ]);
  } finally {
    await database.query(sql`drop table later_notes`);
  }
});
