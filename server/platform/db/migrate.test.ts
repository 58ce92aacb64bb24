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

  test("that servers of before can work beside are no reason for them to refuse the database", async () => {
    writeFirst();
    write("0002_second", "-- compatible from: 1\ncreate table b (id int);");
    await migrate(client, { directory });
    rmSync(path.join(directory, "0002_second.sql"));
    await migrate(client, { directory });
    write("0002_second", "-- compatible from: 1\ncreate table b (id int);");
    write("0003_third", "drop table b;");
    await migrate(client, { directory });
    rmSync(path.join(directory, "0002_second.sql"));
    rmSync(path.join(directory, "0003_third.sql"));
    await expect(migrate(client, { directory })).rejects.toThrow("by a newer Parley (schema 3;");
  });

  test("wait for running servers that could not work beside them, and for no others", async () => {
    writeFirst();
    await migrate(client, { directory });
    const server = await connect(database);
    try {
      await server.query("select pg_advisory_lock_shared(7225, 1)");
      write("0002_second", "-- compatible from: 1\ncreate table b (id int);");
      await migrate(client, { directory });
      write("0003_third", "drop table b;");
      await expect(migrate(client, { directory, patienceMs: 0 })).rejects.toMatchObject({
        fault: "servers-older",
        message:
          "A server of an older Parley (schema 1) runs on this database and can't work beside the migration 0003_third.sql. Stop all servers of that release, then start this one.",
      });
      expect(await history()).toEqual(["1 first", "2 second"]);
      const waits: string[] = [];
      let wait: () => void = () => {};
      const waiting = new Promise<void>((resolve) => {
        wait = resolve;
      });
      const migrated = migrate(client, {
        directory,
        onWait: (sentence) => {
          waits.push(sentence);
          wait();
        },
      });
      await waiting;
      await server.query("select pg_advisory_unlock_shared(7225, 1)");
      await migrated;
      expect(waits).toHaveLength(1);
      expect(await history()).toEqual(["1 first", "2 second", "3 third"]);
    } finally {
      await server.end();
    }
  });

  test("give up their turn while others use a table, and don't hold up who comes after them", async () => {
    writeFirst();
    write("0002_second", "create table b (id int);");
    await migrate(client, { directory });
    write("0003_third", "alter table b add column name text;");
    const [reader, sender] = [await connect(database), await connect(database)];
    try {
      await reader.query("begin; select from b");
      const migrated = migrate(client, { directory });
      for (let number = 0; number < 3; number++) await sender.query("insert into b values (1)");
      await expect(migrate(database.connection, { directory, patienceMs: 0 })).rejects.toMatchObject({
        fault: "migration-waits",
      });
      await reader.query("commit");
      await migrated;
      expect((await client.query("select name from b")).rows).toHaveLength(3);
    } finally {
      await reader.end();
      await sender.end();
    }
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

  /** As this program's own migrations have it. */
  function writeFirst(): void {
    write("0001_first", "alter table migrations add column compatible_from int;");
  }

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
    expect(statements).toEqual([expect.stringMatching(/^select id, name.* from migrations /s)]);
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
