import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../../test/harness/postgres.ts";
import { jobsOfModules } from "../../modules.ts";
import { Database } from "../../platform/db/database.ts";
import { sql } from "../../platform/db/sql.ts";
import { describeKept, kept } from "./tables.ts";

let template: TestDatabase;
let database: Database;
beforeAll(async () => {
  template = await createTestDatabase();
  database = await Database.open(template.connection);
});
afterAll(async () => {
  await database.close();
  await template.drop();
});

test("of each table it is said what bounds it", async () => {
  const rows = await database.query<{ name: string }>(sql`
    select c.relname as name from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition`);
  expect(Object.keys(kept).sort()).toEqual(rows.map(({ name }) => name).sort());
  expect(Object.keys(kept)).toEqual(Object.keys(kept).sort());
});

test("each job that is named is a periodic one", () => {
  const jobs = jobsOfModules({ canSend: true });
  const periodic = jobs.filter(({ schedule }) => schedule !== undefined).map(({ name }) => name);
  for (const [table, { job }] of Object.entries(kept)) if (job) expect(periodic, table).toContain(job);
});

test("the page has the table as it is here", () => {
  const page = readFileSync(fileURLToPath(new URL("../../../docs/what-is-kept.md", import.meta.url)), "utf8");
  expect(page).toContain(`\n${describeKept()}\n`);
  const jobs = new Set(jobsOfModules({ canSend: true }).map(({ name }) => name));
  for (const [, name = ""] of page.matchAll(/`((?:clean_up|forget|expire|keep)_[a-z_]+)`/g))
    expect(jobs).toContain(name);
});
