import pg from "pg";
import { expect, inject, test } from "vitest";
import type { EmbeddedPostgres } from "../../server/platform/postgres/launcher.ts";
import { createFilledDatabase } from "./postgres.ts";

type Connection = EmbeddedPostgres["connection"];

async function query(connection: Connection, statement: string): Promise<unknown[]> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

test("each copy of a filled database is another, whether it was made ahead or not", async () => {
  const names: unknown[] = [];
  for (const [index, key] of ["soup", "soup", "soup", "bread", "bread", "soup"].entries()) {
    const database = await createFilledDatabase(`postgres.test ${key}`, async (connection) => {
      await query(connection, `create table meals as select '${key}' as name`);
    });
    try {
      names.push(database.connection.database);
      expect(await query(database.connection, "select name from meals")).toEqual([{ name: key }]);
      await query(database.connection, `insert into meals values ('cake ${index}')`);
    } finally {
      await database.drop();
    }
  }
  expect(new Set(names).size).toBe(names.length);
});

test("a copy that is dropped later goes, with the sessions that are open", async () => {
  const { connection, dropLater } = await createFilledDatabase("postgres.test later", async () => {});
  const session = new pg.Client(connection);
  session.on("error", () => {});
  await session.connect();
  dropLater();
  const { superuser } = inject("postgres");
  const found = `select datname from pg_database where datname = '${connection.database}'`;
  await expect.poll(() => query(superuser, found)).toEqual([]);
});
