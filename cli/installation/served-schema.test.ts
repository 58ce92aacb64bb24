import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { ownSchema } from "../../server/platform/db/migrate.ts";
import { createEmptyDatabase, createTestDatabase } from "../../test/harness/postgres.ts";
import { refuseOlderServer, waitForFirstStart } from "./served-schema.ts";

/** A database of an older release, if `isOlder`, with a session of this name. */
async function open(
  name: string,
  isOlder = true,
): Promise<{ connection: pg.ClientConfig; client: pg.Client }> {
  const { connection, drop } = await createTestDatabase();
  onTestFinished(drop);
  const client = new pg.Client({ ...connection, application_name: name });
  await client.connect();
  onTestFinished(() => client.end());
  if (isOlder) await client.query("delete from migrations where id = (select max(id) from migrations)");
  return { connection, client };
}

const NOW = { waitMs: 0 };

test("a database of an older release is left alone while a server uses it", async () => {
  const { connection } = await open("parley/4711/statements");
  await expect(refuseOlderServer(connection, NOW)).rejects.toThrow(
    `The running server is of an older release (schema ${ownSchema() - 1}; this command's is ${ownSchema()}).`,
  );
});

test("so is one whose server is known by its data directory", async () => {
  const { connection } = await open("somebody");
  await refuseOlderServer(connection, NOW);
  await expect(refuseOlderServer(connection, { ...NOW, isServed: true })).rejects.toThrow("an older release");
});

test("a server that is upgrading it is waited for", async () => {
  const { connection, client } = await open("parley/4711/statements");
  const asked = refuseOlderServer(connection);
  await client.query("insert into migrations (id, name) values ($1, 'newest')", [ownSchema()]);
  await asked;
});

test("one of this release, and an empty one, may be used", async () => {
  const { connection } = await open("parley/4711/statements", false);
  await refuseOlderServer(connection, { ...NOW, isServed: true });
  const empty = await createEmptyDatabase();
  onTestFinished(empty.drop);
  await refuseOlderServer(empty.connection, NOW);
});

test("a first start is waited for until it has stored what tells its secret", async () => {
  const { connection, client } = await open("parley/4711/statements", false);
  await client.query("delete from secret_check");
  await expect(waitForFirstStart(connection, NOW)).rejects.toThrow("still in its first start");
  const asked = waitForFirstStart(connection);
  await client.query("insert into secret_check (value) values ('a')");
  await asked;
  const empty = await createEmptyDatabase();
  onTestFinished(empty.drop);
  await expect(waitForFirstStart(empty.connection, NOW)).rejects.toThrow("still in its first start");
});
