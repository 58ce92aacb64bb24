import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  createEmptyDatabase,
  createTestDatabase,
  type TestDatabase,
} from "../../../test/harness/postgres.ts";
import { migrate } from "./migrate.ts";

describe("migrations", () => {
  let database: TestDatabase;
  let client: pg.Client;
  let directory: string;

  beforeEach(async () => {
    database = await createEmptyDatabase();
    client = await connect(database);
    directory = mkdtempSync(path.join(os.tmpdir(), "migrations-"));
  });
  afterEach(async () => {
    await client.end();
    await database.drop();
    rmSync(directory, { recursive: true });
  });

  test("are applied in order, each once", async () => {
    write("0001_first", "create table a (id int);");
    await migrate(client, { directory });
    write("0002_second", "alter table a add column name text; insert into a values (1, 'x');");
    await migrate(client, { directory });
    await migrate(client, { directory });
    expect((await client.query("select * from a")).rows).toEqual([{ id: 1, name: "x" }]);
    expect(await history()).toEqual(["1 first", "2 second"]);
  });

  test("are applied once when many nodes start at the same moment", async () => {
    write("0001_first", "create table a (id int); select pg_sleep(0.05);");
    write("0002_second", "insert into a values (1); select pg_sleep(0.05);");
    await Promise.all(Array.from({ length: 6 }, () => migrate(database.connection, { directory })));
    expect((await client.query("select * from a")).rows).toEqual([{ id: 1 }]);
    expect(await history()).toEqual(["1 first", "2 second"]);
  });

  test("that fail are rolled back, and the earlier ones stay applied", async () => {
    write("0001_first", "create table a (id int);");
    write("0002_second", "create table b (id int); select 1 / 0;");
    await expect(migrate(client, { directory })).rejects.toThrow(
      "The migration 0002_second.sql failed: division by zero.",
    );
    expect(await history()).toEqual(["1 first"]);
    expect((await client.query("select to_regclass('b') as b")).rows).toEqual([{ b: null }]);
    write("0002_second", "create table b (id int);");
    await migrate(client, { directory });
    expect(await history()).toEqual(["1 first", "2 second"]);
  });

  test("of a newer Parley make an older one refuse the database", async () => {
    write("0001_first", "select 1;");
    write("0002_second", "select 1;");
    await migrate(client, { directory });
    rmSync(path.join(directory, "0002_second.sql"));
    await expect(migrate(client, { directory })).rejects.toThrow(
      "The database was made by a newer Parley (schema 2; this one knows up to 1). Upgrade Parley, or restore a backup.",
    );
  });

  test("of another program are refused", async () => {
    write("0001_first", "select 1;");
    await migrate(client, { directory });
    rmSync(path.join(directory, "0001_first.sql"));
    write("0001_other", "create table a (id int);");
    await expect(migrate(client, { directory })).rejects.toThrow('a migration 1 "first"');
  });

  test("must be numbered without a gap", async () => {
    write("0001_first", "select 1;");
    write("0003_third", "select 1;");
    await expect(migrate(client, { directory })).rejects.toThrow("0003_third.sql is number 2 in order");
  });

  function write(name: string, text: string): void {
    writeFileSync(path.join(directory, `${name}.sql`), text);
  }

  async function history(): Promise<string[]> {
    const { rows } = await client.query<{ id: number; name: string }>("select * from migrations order by id");
    return rows.map(({ id, name }) => `${id} ${name}`);
  }
});

describe("a migrated database", () => {
  let database: TestDatabase;
  let client: pg.Client;

  beforeAll(async () => {
    database = await createTestDatabase();
    client = await connect(database);
  });
  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  test("has all migrations of this program", async () => {
    const files = readdirSync(new URL("./migrations/", import.meta.url));
    const { rows } = await client.query("select count(*)::int as count from migrations");
    expect(rows).toEqual([{ count: files.length }]);
  });

  test("costs one query at the next start", async () => {
    const statements: string[] = [];
    const query = client.query.bind(client);
    client.query = ((text: string, values?: unknown[]) => {
      statements.push(text);
      return query(text, values);
    }) as typeof client.query;
    await migrate(client);
    expect(statements).toEqual(["select id, name from migrations order by id"]);
  });

  test("is used by a role that is not a superuser", async () => {
    const { rows } = await client.query("select rolsuper from pg_roles where rolname = current_user");
    expect(rows).toEqual([{ rolsuper: false }]);
  });

  test("recognizes letters of all scripts, in text search and in trigrams", async () => {
    await client.query("create extension if not exists pg_trgm");
    const { rows } = await client.query(
      "select cardinality(show_trgm('日本語')) as trigrams, to_tsvector('simple', 'Größe—ПРИВЕТ')::text as words, 'ÉCOLE' ilike 'école' as folds",
    );
    expect(rows).toEqual([{ trigrams: 4, words: "'größe':1 'привет':2", folds: true }]);
  });
});

async function connect(database: TestDatabase): Promise<pg.Client> {
  const client = new pg.Client(database.connection);
  await client.connect();
  return client;
}
