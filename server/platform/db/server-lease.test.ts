import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import {
  createEmptyDatabase,
  createTestDatabase,
  type TestDatabase,
} from "../../../test/harness/postgres.ts";
import { lockClasses, schemaObjects } from "./locks.ts";
import { ownSchema } from "./migrate.ts";
import { ServerLease } from "./server-lease.ts";

let database: TestDatabase;
let client: pg.Client;

beforeEach(async () => {
  database = await createTestDatabase();
  client = new pg.Client(database.connection);
  await client.connect();
});
afterEach(async () => {
  await client.end();
  await database.drop();
});

const LEASES = `
  select objid::int as schema, pid from pg_locks
  where locktype = 'advisory' and classid = ${lockClasses.servers} and granted
    and database = (select oid from pg_database where datname = current_database()) order by objid`;
const WAITING = `
  select from pg_locks where not granted and locktype = 'advisory'
    and database = (select oid from pg_database where datname = current_database())`;

const leases = async () => (await client.query<{ schema: number; pid: number }>(LEASES)).rows;
const schemas = async () => (await leases()).map(({ schema }) => schema);

test("a server has the lease of its schema, with others, until it ends", async () => {
  const older = await ServerLease.take(database.connection, { name: "one", schema: ownSchema() - 1 });
  const one = await ServerLease.take(database.connection, { name: "two" });
  const two = await ServerLease.take(database.connection, { name: "three" });
  expect(await schemas()).toEqual([ownSchema() - 1, ownSchema(), ownSchema()]);
  await Promise.all([older.release(), one.release()]);
  await expect.poll(schemas).toEqual([ownSchema()]);
  await two.release();
  await expect.poll(schemas).toEqual([]);
});

test("it is given on a database without tables, to the server that makes them", async () => {
  const empty = await createEmptyDatabase();
  try {
    await (await ServerLease.take(empty.connection, { name: "one" })).release();
  } finally {
    await empty.drop();
  }
});

test("none is given on a database that only a newer release can work on", async () => {
  await addMigration(ownSchema());
  const beside = await ServerLease.take(database.connection, { name: "one" });
  await beside.release();
  await addMigration(ownSchema() + 1);
  await expect(ServerLease.take(database.connection, { name: "one" })).rejects.toMatchObject({
    fault: "database-newer",
  });
  await expect.poll(schemas).toEqual([]);
});

test("it waits for a migration that is being applied", async () => {
  await client.query("begin");
  await client.query("select pg_advisory_xact_lock($1, $2)", [lockClasses.schema, schemaObjects.migrations]);
  let isTaken = false;
  const taking = ServerLease.take(database.connection, { name: "one" }).then((lease) => {
    isTaken = true;
    return lease;
  });
  await expect.poll(async () => (await client.query(WAITING)).rowCount).toBe(1);
  expect(isTaken).toBe(false);
  await client.query("commit");
  await (await taking).release();
});

test("a session that broke is opened again, and a server that may not go on is told so", async () => {
  const lease = await ServerLease.take(database.connection, { name: "one", lookMs: 20 });
  const [first] = await leases();
  await end(first?.pid);
  const isAgain = async () => {
    const [again] = await leases();
    return again !== undefined && again.pid !== first?.pid;
  };
  await expect.poll(isAgain).toBe(true);
  await addMigration(ownSchema() + 1);
  const [second] = await leases();
  await end(second?.pid);
  expect(await lease.refused).toContain("The database was made by a newer Parley");
  await expect.poll(schemas).toEqual([]);
  await lease.release();
});

const end = (pid: number | undefined) => client.query("select pg_terminate_backend($1)", [pid]);

/** As a newer release leaves it: one migration more, beside which servers have to know `compatibleFrom`. */
async function addMigration(compatibleFrom: number): Promise<void> {
  await client.query(
    `insert into migrations (id, name, compatible_from)
    select max(id) + 1, 'of_a_newer_release', $1 from migrations`,
    [compatibleFrom],
  );
}
