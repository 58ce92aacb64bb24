// Migrations run beside senders, so none may keep them out of a table while it reads or rewrites the table.
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  createEmptyDatabase,
  createTestDatabase,
  type TestDatabase,
} from "../../../test/harness/postgres.ts";
import { compatibleFromOf, migrate } from "./migrate.ts";

/** Migrations up to this one came before the first release, so no table is large when they are applied. */
const BEFORE_RELEASES = 58;
const directory = new URL("./migrations/", import.meta.url);
const all = readdirSync(directory).sort();
const released = all.filter((name) => Number(name.slice(0, 4)) > BEFORE_RELEASES);

let database: TestDatabase;
let client: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client(database.connection);
  await client.connect();
  await client.query(`
    create table sample_texts (id int primary key, text text);
    create table sample_owners (id int primary key);
    insert into sample_texts values (1, 'a');
    insert into sample_owners values (1)`);
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

/** The existing tables whose writers the statements keep out while they read or rewrite the rows. */
async function findKeptOut(client: pg.Client, statements: string): Promise<string[]> {
  await client.query("begin");
  try {
    const before = await readTables(client);
    await client.query(statements);
    const after = await readTables(client);
    return [...after.values()]
      .filter(({ name, file, scans, isLocked }) => {
        const old = before.get(name);
        return old !== undefined && isLocked && (file !== old.file || scans > old.scans);
      })
      .map(({ name }) => name);
  } finally {
    await client.query("rollback");
  }
}

interface Table {
  name: string;
  /** Another one means that the rows were written again. */
  file: string;
  scans: number;
  /** Whether this transaction keeps writers out. */
  isLocked: boolean;
}

async function readTables(client: pg.Client): Promise<Map<string, Table>> {
  const { rows } = await client.query<Table>(`
    select c.oid::regclass::text as name, pg_relation_filenode(c.oid)::text as file,
      coalesce(s.seq_scan, 0)::int as scans,
      exists (
        select from pg_locks l where l.relation = c.oid and l.pid = pg_backend_pid() and l.granted and l.mode in
          ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')
          and l.database = (select oid from pg_database where datname = current_database())
      ) as "isLocked"
    from pg_class c left join pg_stat_xact_user_tables s on s.relid = c.oid
    where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and c.relname <> 'migrations'`);
  return new Map(rows.map((row) => [row.name, row]));
}

describe("the look at locks finds", () => {
  test.each([
    ["a table that is written again", "alter table sample_texts alter column id type bigint"],
    ["a computed column", "alter table sample_texts add column length int default random()"],
    ["an index", "create index on sample_texts (text)"],
    ["a column that may not be empty", "alter table sample_texts alter column text set not null"],
    ["a foreign key", "alter table sample_texts add constraint a foreign key (id) references sample_owners"],
    [
      "rows that are changed under a lock",
      "alter table sample_texts add column more text; update sample_texts set more = text",
    ],
  ])("%s", async (_, statements) => {
    expect(await findKeptOut(client, statements)).toContain("sample_texts");
  });

  test.each([
    ["a column", "alter table sample_texts add column more text"],
    [
      "a column with one value for all rows",
      "alter table sample_texts add column more int not null default 7",
    ],
    ["a check that is made later", "alter table sample_texts add constraint a check (id > 0) not valid"],
    ["a table of its own", "create table sample_others (id int); create index on sample_others (id)"],
    ["rows that are changed", "update sample_texts set text = 'b'"],
  ])("nothing wrong with %s", async (_, statements) => {
    expect(await findKeptOut(client, statements)).toEqual([]);
  });
});

test("each migration says which servers can work beside it", () => {
  const silent = released.filter((name) => compatibleFromOf(textOf(name)) === undefined);
  expect(silent, "docs/howto/add-a-migration.md says how").toEqual([]);
});

test("no migration keeps writers out of a table while it reads or rewrites it", async () => {
  const empty = await createEmptyDatabase();
  const own = new pg.Client(empty.connection);
  const applied = mkdtempSync(path.join(os.tmpdir(), "parley-migrations-"));
  try {
    await own.connect();
    const wrong: Record<string, string[]> = {};
    for (const name of all) {
      if (released.includes(name)) {
        await migrate(own, { directory: applied });
        const tables = await findKeptOut(own, textOf(name));
        if (tables.length > 0) wrong[name] = tables;
      }
      cpSync(new URL(name, directory), path.join(applied, name));
    }
    expect(wrong).toEqual({});
  } finally {
    rmSync(applied, { recursive: true });
    await own.end();
    await empty.drop();
  }
});

function textOf(name: string): string {
  return readFileSync(new URL(name, directory), "utf8");
}
