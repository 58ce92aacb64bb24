// A node that goes silent loses its locks after eight seconds. The tests wait for that at the same time.
import { type TestContext, test } from "vitest";
import { createEmptyDatabase } from "../../../test/harness/postgres.ts";
import { Database } from "./database.ts";
import { DatabaseUnavailable } from "./database-unavailable.ts";
import { lockClasses, sessionLock } from "./locks.ts";
import { sql } from "./sql.ts";

const timeout = 60_000;

/** `open()` lets those go on who wait for `opened`. */
function barrier() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}

async function open(
  { onTestFinished }: TestContext,
  limits: Parameters<typeof Database.open>[1] = {},
): Promise<Database> {
  const raw = await createEmptyDatabase();
  const database = await Database.open(raw.connection, { pipelines: 1, ...limits });
  onTestFinished(async () => {
    await database.close();
    await raw.drop();
  });
  await database.query(sql`create table notes (id int)`);
  return database;
}

test.concurrent("a transaction whose node goes silent loses its locks", { timeout }, async (context) => {
  const database = await open(context);
  const [locked, others] = [barrier(), barrier()];
  const silent = database.transaction(async (tx) => {
    await tx.query(sql`lock table notes`);
    locked.open();
    await others.opened;
    await tx.query(sql`insert into notes values (1)`);
  });
  const outcome = silent.catch((error) => error);
  await locked.opened;
  // It would wait for good, since the other one waits for it.
  await database.query(sql`insert into notes values (2)`);
  others.open();
  context.expect(await outcome).toBeInstanceOf(Error);
  context.expect(await database.query(sql`select id from notes`)).toEqual([{ id: 2 }]);
});

test.concurrent("a node that goes silent between two transactions loses the lock of its session", {
  timeout,
}, async (context) => {
  const database = await open(context, { limits: { lockTimeoutMs: 30_000 } });
  const lock = sessionLock(lockClasses.state, 1);
  const [locked, others] = [barrier(), barrier()];
  const silent = database.lockedSession(lock, sql`select 1`, async (session) => {
    await session.transaction((tx) => tx.query(sql`insert into notes values (1)`));
    locked.open();
    await others.opened;
    await session.transaction((tx) => tx.query(sql`insert into notes values (2)`));
  });
  const outcome = silent.catch((error) => error);
  await locked.opened;
  await database.lockedSession(lock, sql`select 1`, async () => {});
  others.open();
  context.expect(await outcome).toBeInstanceOf(DatabaseUnavailable);
  context.expect(await database.query(sql`select id from notes`)).toEqual([{ id: 1 }]);
});
