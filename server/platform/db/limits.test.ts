import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { DatabaseGate } from "../../../test/harness/database-gate.ts";
import { createEmptyDatabase, type TestDatabase } from "../../../test/harness/postgres.ts";
import { Database, type Queryable } from "./database.ts";
import type { LaneName } from "./lanes.ts";
import { lockClasses, sessionLock } from "./locks.ts";
import { isServerBusy, ServerBusy } from "./server-busy.ts";
import { sql } from "./sql.ts";

let raw: TestDatabase;
let gate: DatabaseGate;
let database: Database;

beforeEach(async () => {
  raw = await createEmptyDatabase();
  // Not by the database that is tested, some of whose limits are short.
  await runOn(raw, "create table notes (id int)");
  gate = await DatabaseGate.open(raw.connection);
});

afterEach(async () => {
  await database.close();
  await gate.remove();
  await raw.drop();
});

async function runOn({ connection }: TestDatabase, statement: string): Promise<void> {
  const client = new pg.Client(connection);
  await client.connect();
  await client.query(statement);
  await client.end();
}

async function open(limits: Parameters<typeof Database.open>[1]): Promise<void> {
  database = await Database.open(gate.connection, { pipelines: 1, ...limits });
}

test("a statement that takes too long is ended, and counts as a busy server", async () => {
  await open({ limits: { statementTimeoutMs: 200 } });
  const slow = database.transaction((tx) => tx.query(sql`select pg_sleep(20)`)).catch((error) => error);
  expect(isServerBusy(await slow)).toBe(true);
  // The connection serves the next one.
  expect(await database.transaction((tx) => tx.query(sql`select 1 as one`))).toEqual([{ one: 1 }]);
});

test("a transaction that takes too long as a whole is ended, and counts as a busy server", async () => {
  await open({ limits: { transactionTimeoutMs: 400 } });
  const slow = database.transaction(async (tx) => {
    for (;;) await tx.query(sql`select pg_sleep(0.1)`);
  });
  expect(isServerBusy(await slow.catch((error) => error))).toBe(true);
  // Another connection serves the next one.
  expect(await database.transaction((tx) => tx.query(sql`select 1 as one`))).toEqual([{ one: 1 }]);
});

test("no lane lets a statement or a transaction hold back the removal of old rows for long", async () => {
  await open({});
  const limits = (tx: Queryable) =>
    tx.query<{ statement: string; whole: string }>(sql`
      select current_setting('statement_timeout') as statement, current_setting('transaction_timeout') as whole`);
  const lanes = Object.keys(database.laneUse) as LaneName[];
  expect(lanes.length).toBeGreaterThan(5);
  for (const lane of lanes) {
    const [row] = await database.transaction(limits, { lane });
    expect([lane, row?.whole]).toEqual([lane, "1min"]);
    const seconds = Number(/^(\d+)s$/.exec(row?.statement ?? "")?.[1]);
    expect(seconds, lane).toBeGreaterThan(0);
    expect(seconds, lane).toBeLessThanOrEqual(20);
  }
});

test("a statement that waits too long for a lock is ended, and counts as a busy server", async () => {
  await open({ limits: { lockTimeoutMs: 200 } });
  await database.transaction(async (tx) => {
    await tx.query(sql`lock table notes`);
    const waiting = await database.query(sql`insert into notes values (1)`).catch((error) => error);
    expect(isServerBusy(waiting)).toBe(true);
    const lead = [sql`lock table notes`];
    const locked = await database.transaction(async () => "ran", { lead }).catch((error) => error);
    expect(isServerBusy(locked)).toBe(true);
  });
  expect(await database.transaction((tx) => tx.query(sql`select 1 as one`))).toEqual([{ one: 1 }]);
});

test("a lock of a session is free when its work has ended or failed", async () => {
  await open({ laneSize: 2 });
  const lock = sessionLock(lockClasses.state, 1);
  const failing = database.lockedSession(lock, sql`select 1 / 0`, async () => {});
  await expect(failing).rejects.toThrow("division by zero");
  const thrown = database.lockedSession(lock, sql`select 1`, () =>
    Promise.reject(new Error("changed my mind")),
  );
  await expect(thrown).rejects.toThrow("changed my mind");
  // Other databases of the same server have locks of their own.
  const held = await database.query(sql`
    select from pg_locks where locktype = 'advisory'
      and database = (select oid from pg_database where datname = current_database())`);
  expect(held).toEqual([]);
  const [row] = await database.lockedSession(lock, sql`select 2 as two`, async (_, rows) => rows);
  expect(row).toEqual({ two: 2 });
});

test("a statement that the network swallows fails, and its connection is replaced", {
  timeout: 60_000,
}, async () => {
  await open({ limits: { statementTimeoutMs: 300 } });
  gate.cutOff();
  const lost = [database.query(sql`select 1`), database.transaction((tx) => tx.query(sql`select 1`))];
  for (const outcome of await Promise.allSettled(lost)) expect(outcome.status).toBe("rejected");
  gate.reconnect();
  await expect.poll(() => database.query(sql`select 1 as one`)).toEqual([{ one: 1 }]);
  expect(await database.transaction((tx) => tx.query(sql`select 1 as one`))).toEqual([{ one: 1 }]);
});

test("a connection for listening that breaks does not end the process", async () => {
  await open({});
  const client = await database.connect();
  const ended = new Promise((resolve) => client.once("end", resolve));
  gate.cut();
  await ended;
  await expect(client.query("select 1")).rejects.toThrow("connection error");
});

/** Keeps its connection until `end` is called. */
function slowRead() {
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const slow = database.snapshot(async (tx) => {
    await tx.query(sql`select 1`);
    await ended;
  });
  return { slow, end: () => end() };
}

test("slow reads do not take the connections of changes", async () => {
  await open({ laneSize: 1 });
  const { slow, end } = slowRead();
  await database.transaction((tx) => tx.query(sql`insert into notes values (1)`));
  end();
  await slow;
});

test("only a limited number waits for a connection, and each only for a limited time", async () => {
  await open({ limits: { connections: 1, waiting: 2, waitMs: 300 } });
  const { slow, end } = slowRead();
  const waiting = Array.from({ length: 3 }, () => database.snapshot((tx) => tx.query(sql`select 1`)));
  const outcomes = await Promise.allSettled(waiting);
  for (const outcome of outcomes) {
    expect(outcome.status).toBe("rejected");
    expect((outcome as PromiseRejectedResult).reason).toBeInstanceOf(ServerBusy);
  }
  end();
  await slow;
  expect(await database.snapshot((tx) => tx.query(sql`select 1 as one`))).toEqual([{ one: 1 }]);
});
