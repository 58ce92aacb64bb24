import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { DatabaseGate } from "../../../test/harness/database-gate.ts";
import { createEmptyDatabase, type TestDatabase } from "../../../test/harness/postgres.ts";
import { Database } from "./database.ts";
import { DatabaseUnavailable, OutcomeUnknown } from "./database-unavailable.ts";
import { sql } from "./sql.ts";

let raw: TestDatabase;
let gate: DatabaseGate;
let database: Database;

beforeEach(async () => {
  raw = await createEmptyDatabase();
  gate = await DatabaseGate.open(raw.connection);
  database = await Database.open(gate.connection, {
    pipelines: 2,
    laneSize: 2,
    unavailableTimeoutMs: 15_000,
  });
  await database.query(sql`create table notes (id int)`);
});

afterEach(async () => {
  await database.close();
  await gate.remove();
  await raw.drop();
});

const count = async () =>
  (await database.query<{ count: number }>(sql`select count(*) from notes`))[0]?.count;

/** Waits until the connections have noticed. */
const becomesUnavailable = (one = database) =>
  expect.poll(() => one.ping().catch((error) => error)).toBeInstanceOf(DatabaseUnavailable);
const becomesAvailable = (one = database) =>
  expect.poll(() => one.ping().catch((error) => error)).toBeUndefined();
const insert = sql`insert into notes values (1)`;

describe("while the database is unavailable", () => {
  test("statements that have not been sent wait for it", async () => {
    await gate.shut();
    await becomesUnavailable();
    const waiting = [
      database.query(insert),
      database.transaction((tx) => tx.query(insert)),
      database.query(sql`select 1`),
    ];
    await gate.open();
    await Promise.all(waiting);
    expect(await count()).toBe(2);
  });

  test("a statement waits for a limited time, and then fails without having changed anything", async () => {
    const impatient = await Database.open(gate.connection, { unavailableTimeoutMs: 50 });
    await gate.shut();
    await becomesUnavailable(impatient);
    await expect(impatient.query(insert)).rejects.toBeInstanceOf(DatabaseUnavailable);
    await expect(impatient.transaction((tx) => tx.query(insert))).rejects.toBeInstanceOf(DatabaseUnavailable);
    await expect(impatient.ping()).rejects.toBeInstanceOf(DatabaseUnavailable);
    await gate.open();
    await becomesAvailable(impatient);
    await impatient.close();
    expect(await count()).toBe(0);
  });

  test("closing ends the wait", async () => {
    await gate.shut();
    await becomesUnavailable();
    const waiting = Promise.allSettled([
      database.query(insert),
      database.transaction((tx) => tx.query(insert)),
    ]);
    await database.close();
    expect((await waiting).map((outcome) => outcome.status)).toEqual(["rejected", "rejected"]);
    database = await Database.open(raw.connection);
  });
});

describe("a connection that breaks", () => {
  test("fails the statement that was under way, which is not sent again", async () => {
    gate.losesAnswers = true;
    await expect(database.query(insert)).rejects.toBeInstanceOf(OutcomeUnknown);
    gate.losesAnswers = false;
    await becomesAvailable();
    expect(await count()).toBe(1);
  });

  test("fails the commit that was under way, which is not sent again", async () => {
    let runs = 0;
    const change = database.transaction(async (tx) => {
      runs++;
      await tx.query(insert);
      gate.losesAnswers = true;
    });
    await expect(change).rejects.toBeInstanceOf(OutcomeUnknown);
    gate.losesAnswers = false;
    await becomesAvailable();
    expect(runs).toBe(1);
    expect(await count()).toBe(1);
  });

  test("rolls back the transaction on it, and affects no other", async () => {
    const change = database.transaction(async (tx) => {
      await tx.query(insert);
      gate.cut();
      // No statement is under way when the connection breaks, so only the connection itself gets the error.
      await becomesAvailable();
      await tx.query(insert);
    });
    await expect(change).rejects.toBeInstanceOf(DatabaseUnavailable);
    expect(await count()).toBe(0);
  });

  test("is replaced by one connection, however often it breaks", async () => {
    for (let times = 0; times < 10; times++) {
      gate.cut();
      await expect
        .poll(() => database.query(sql`select 1`).catch(() => "not yet"))
        .toEqual([{ "?column?": 1 }]);
      await Promise.all([1, 2, 3].map(() => database.transaction((tx) => tx.query(sql`select 1`))));
    }
    const sessions = sql`
      select count(*) from pg_stat_activity where datname = current_database() and backend_type = 'client backend'`;
    // Two pipelines and a pool of two.
    await expect
      .poll(async () => (await database.query<{ count: number }>(sessions))[0]?.count)
      .toBeLessThanOrEqual(4);
  });
});

describe("a snapshot", () => {
  test("reads the state at its first statement, even if others write meanwhile", async () => {
    const counts = await database.snapshot(async (tx) => {
      const first = await tx.query(sql`select count(*) from notes`);
      await database.query(insert);
      return [first, await tx.query(sql`select count(*) from notes`)];
    });
    expect(counts).toEqual([[{ count: 0 }], [{ count: 0 }]]);
    expect(await count()).toBe(1);
  });

  test("can't change anything", async () => {
    await expect(database.snapshot((tx) => tx.query(insert))).rejects.toThrow("read-only transaction");
    expect(await count()).toBe(0);
  });

  test("is read again when its connection breaks", async () => {
    let runs = 0;
    const reading = database.snapshot(async (tx) => {
      if (++runs === 1) gate.cut();
      return tx.query(sql`select 1 as one`);
    });
    expect(await reading).toEqual([{ one: 1 }]);
    expect(runs).toBeGreaterThan(1);
  });

  test("waits for an unavailable database for a limited time", async () => {
    await gate.shut();
    await becomesUnavailable();
    const waiting = database.snapshot((tx) => tx.query(sql`select 1 as one`));
    await gate.open();
    expect(await waiting).toEqual([{ one: 1 }]);
    const impatient = await Database.open(gate.connection, { unavailableTimeoutMs: 50 });
    await gate.shut();
    await becomesUnavailable(impatient);
    await expect(impatient.snapshot((tx) => tx.query(sql`select 1`))).rejects.toBeInstanceOf(
      DatabaseUnavailable,
    );
    await impatient.close();
  });

  test("frees its connection when it fails", async () => {
    const failing = () => database.snapshot((tx) => tx.query(sql`select 1 / 0`));
    for (let times = 0; times < 5; times++) await expect(failing()).rejects.toThrow("division by zero");
    expect(await database.snapshot((tx) => tx.query(sql`select 1 as one`))).toEqual([{ one: 1 }]);
  });
});

test("each connection tells PostgreSQL which process has it, and for what", async () => {
  await database.transaction((tx) => tx.query(sql`select 1`), { lane: "reads" });
  const rows = await database.query<{ name: string }>(sql`
    select distinct application_name as name from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`);
  const names = rows.map(({ name }) => name);
  expect(names).toContain(`parley/${process.pid}/reads`);
  expect(names.every((name) => name.startsWith(`parley/${process.pid}/`))).toBe(true);
});

test("a name in the address of the database goes before it", async () => {
  const { user, host, database: name } = raw.connection;
  const named = await Database.open(
    { connectionString: `postgres://${user}@/${name}?host=${host}&application_name=chat` },
    { pipelines: 1 },
  );
  expect(await named.query(sql`select current_setting('application_name') as name`)).toEqual([
    { name: "chat" },
  ]);
  await named.close();
});
