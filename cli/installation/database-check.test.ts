import net from "node:net";
import { expect, inject, onTestFinished, test } from "vitest";
import { createEmptyDatabase, runOnServer } from "../../test/harness/postgres.ts";
import { checkDatabase, describePlace, waitForDatabase } from "./database-check.ts";
import { findDatabaseDoubts } from "./database-faults.ts";

/** A port that leads to the database of the tests, once `open` is called. */
async function closedPort(): Promise<{ port: number; open(): void }> {
  const { host, port: ofDatabase } = inject("postgres").superuser;
  const proxy = net.createServer((client) => {
    const server = net.connect(`${host}/.s.PGSQL.${ofDatabase}`);
    for (const socket of [client, server]) socket.on("error", () => {});
    client.pipe(server).pipe(client);
  });
  const port = await new Promise<number>((resolve) => {
    const found = net.createServer().listen(0, "127.0.0.1", () => {
      const { port } = found.address() as net.AddressInfo;
      found.close(() => resolve(port));
    });
  });
  onTestFinished(() => void proxy.close());
  return { port, open: () => void proxy.listen(port, "127.0.0.1") };
}

test("a start waits for a database that is not up yet, and says so", async () => {
  const { user, database } = inject("postgres").superuser;
  const { port, open } = await closedPort();
  const sentences: string[] = [];
  await waitForDatabase(`postgres://${user}@127.0.0.1:${port}/${database}`, (sentence) => {
    sentences.push(sentence);
    open();
  });
  expect(sentences).toEqual([
    `The database at 127.0.0.1:${port}/${database} in DATABASE_URL can't be reached: nothing listens there. Start PostgreSQL, or correct host and port in DATABASE_URL. Parley waits for it for another 60 seconds.`,
  ]);
});

test("it waits for no database that refuses, or has an unknown address", async () => {
  const { user } = inject("postgres").superuser;
  const { port, open } = await closedPort();
  open();
  const tell = () => expect.unreachable();
  await expect(
    waitForDatabase(`postgres://${user}@127.0.0.1:${port}/no_such_database`, tell),
  ).rejects.toThrow(
    'database "no_such_database" does not exist. As its administrator create one with CREATE',
  );
  await expect(waitForDatabase("postgres://x@nothing.invalid/parley", tell)).rejects.toThrow(
    "its host name is unknown",
  );
});

test.each([
  ["postgres://ann:secret@db.test/chat", "db.test/chat"],
  ["postgresql://ann@db.test:5433/chat?sslmode=verify-full", "db.test:5433/chat"],
  ["postgres://ann@/chat?host=/var/run/postgresql", "/var/run/postgresql, database chat"],
  ["postgres:///chat?host=/var/run/postgresql", "/var/run/postgresql, database chat"],
  ["postgres://ann@%2Fvar%2Frun%2Fpostgresql/chat", "/var/run/postgresql, database chat"],
])("the address %s is understood, and described without what is secret", (url, place) => {
  expect(describePlace(url)).toBe(place);
});

test.each(["mysql://ann@db.test/chat", "db.test/chat", "postgres://ann@db.test:port/chat"])(
  "the address %s is refused with the right form",
  (url) => {
    expect(() => describePlace(url)).toThrow("DATABASE_URL has the form postgres://user:password@host:5432");
  },
);

/** Through the socket, as Debian's PostgreSQL is reached. */
const addressOf = (database: string, user: string) =>
  `postgres://${user}@/${database}?host=${inject("postgres").superuser.host}`;

test("a database is found through a socket", async () => {
  const { connection, drop } = await createEmptyDatabase();
  onTestFinished(drop);
  const { database, user } = connection as { database: string; user: string };
  expect(await checkDatabase(addressOf(database, user))).toMatchObject({
    ...{ encoding: "UTF8", hasTables: false, mayCreate: true, isReadOnly: false, isReplica: false },
    isPooled: false,
  });
});

test("a user without the right to create tables learns what to run", async () => {
  const { connection, drop } = await createEmptyDatabase();
  onTestFinished(drop);
  const user = `guest_${connection.database}`;
  await runOnServer(`create role ${user} login`);
  onTestFinished(() => runOnServer(`drop role ${user}`));
  await expect(checkDatabase(addressOf(connection.database, user))).rejects.toThrow(
    `ALTER DATABASE ${connection.database} OWNER TO ${user};`,
  );
});

test.each([
  ["LATIN1", "has the encoding LATIN1, but Parley needs UTF8"],
  ["SQL_ASCII", "has the encoding SQL_ASCII, but Parley needs UTF8"],
])("a database in %s is refused before its first table", async (encoding, sentence) => {
  const { connection, drop } = await createEmptyDatabase();
  onTestFinished(drop);
  const { database, user } = connection as { database: string; user: string };
  await drop();
  await runOnServer(
    `create database ${database} owner ${user} template template0 encoding '${encoding}' locale_provider libc locale 'C' strategy file_copy`,
  );
  await expect(checkDatabase(addressOf(database, user))).rejects.toThrow(sentence);
});

test("a database that takes no writes is named as such", async () => {
  const { connection, drop } = await createEmptyDatabase();
  onTestFinished(drop);
  const { database, user } = connection as { database: string; user: string };
  await runOnServer(`alter database ${database} set default_transaction_read_only = on`);
  await expect(checkDatabase(addressOf(database, user))).rejects.toThrow(
    "takes no writes: default_transaction_read_only is on",
  );
});

test("the fewest connections that server, database and role allow are counted", async () => {
  const { connection, drop } = await createEmptyDatabase();
  onTestFinished(drop);
  const { database } = connection as { database: string };
  const user = `few_${database}`;
  await runOnServer(`create role ${user} login connection limit 6`);
  onTestFinished(() => runOnServer(`drop role ${user}`));
  await runOnServer(`alter database ${database} owner to ${user}`);
  onTestFinished(drop);
  const limit = async () => (await checkDatabase(addressOf(database, user))).connections;
  expect(await limit()).toBe(6);
  await runOnServer(`alter database ${database} connection limit 5`);
  expect(await limit()).toBe(5);
  await runOnServer(`alter database ${database} connection limit -1`);
  await runOnServer(`alter role ${user} connection limit -1`);
  expect(await limit()).toBeGreaterThan(6);
});

/** Tells clients another number of their session, as poolers do. */
async function openPooler(): Promise<number> {
  const { host, port } = inject("postgres").superuser;
  const pooler = net.createServer((client) => {
    const server = net.connect(`${host}/.s.PGSQL.${port}`);
    for (const socket of [client, server]) socket.on("error", () => {});
    client.pipe(server);
    server.on("data", (bytes) => {
      // The message with the number: K, a length of 12, the number.
      const at = bytes.indexOf(Buffer.from([0x4b, 0, 0, 0, 12]));
      if (at >= 0) bytes.writeInt32BE(bytes.readInt32BE(at + 5) + 1, at + 5);
      client.write(bytes);
    });
    server.on("close", () => client.destroy());
  });
  onTestFinished(() => void pooler.close());
  return new Promise((resolve) => {
    pooler.listen(0, "127.0.0.1", () => resolve((pooler.address() as net.AddressInfo).port));
  });
}

test("a pooler in front of the database is a doubt", async () => {
  const { user, database } = inject("postgres").superuser;
  const state = await checkDatabase(`postgres://${user}@127.0.0.1:${await openPooler()}/${database}`);
  expect(findDatabaseDoubts(state).map(({ text }) => text)).toEqual([
    "A pooler of connections, such as PgBouncer, is between Parley and PostgreSQL.",
  ]);
});
