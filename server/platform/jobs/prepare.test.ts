import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createEmptyDatabase, type TestDatabase } from "../../../test/harness/postgres.ts";
import { Database } from "../db/database.ts";
import { sql } from "../db/sql.ts";
import { libraryOptions } from "./library.ts";
import { prepareJobs } from "./prepare.ts";

let testDatabase: TestDatabase;
let nodes: Database[];

beforeAll(async () => {
  testDatabase = await createEmptyDatabase();
  nodes = await Promise.all(
    Array.from({ length: 4 }, () => Database.open(testDatabase.connection, { pipelines: 1 })),
  );
});

afterAll(async () => {
  await Promise.all(nodes.map((node) => node.close()));
  await testDatabase.drop();
});

test("nodes that start at once on an empty database create the tables once, and later nodes find them", async () => {
  await Promise.all(nodes.map(prepareJobs));
  const count = async () =>
    (await (nodes[0] as Database).query(sql`select id from graphile_worker.migrations`)).length;
  const made = await count();
  expect(made).toBeGreaterThan(1);
  await Promise.all(nodes.map(prepareJobs));
  expect(await count()).toBe(made);
});

test("the library's connections can be closed again, as by a stop while the library is being started", async () => {
  const library = await libraryOptions(nodes[0] as Database, { connections: 1 });
  await Promise.all([library.close(), library.close()]);
  await library.close();
});

test("a connection that the library never gives back does not keep its end from coming", async () => {
  const [node] = nodes as [Database];
  const library = await libraryOptions(node, { connections: 1 });
  const held = await (library.options.pgPool as pg.Pool).connect();
  const { rows } = await held.query<{ pid: number }>("select pg_backend_pid() as pid");
  const pid = (rows[0] as { pid: number }).pid;
  const sessions = () => node.query(sql`select from pg_stat_activity where pid = ${pid}`);
  expect(await sessions()).toHaveLength(1);
  await library.close();
  await expect.poll(sessions).toEqual([]);
});
