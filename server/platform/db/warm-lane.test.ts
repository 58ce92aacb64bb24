import { expect, test } from "vitest";
import { createEmptyDatabase } from "../../../test/harness/postgres.ts";
import { Database, type Queryable } from "./database.ts";
import { sql } from "./sql.ts";

test("a lane at rest keeps one connection open, and closes the others", async () => {
  const raw = await createEmptyDatabase();
  const database = await Database.open(raw.connection, {
    pipelines: 1,
    laneSize: 3,
    limits: { idleMs: 10 },
  });
  try {
    const pidOfNext = () =>
      database.transaction(async (tx) => {
        const [row] = await tx.query<{ pid: number }>(sql`select pg_backend_pid() as pid`);
        return row?.pid as number;
      });
    const pids = await Promise.all([pidOfNext(), pidOfNext(), pidOfNext()]);
    expect(new Set(pids).size).toBe(3);
    const openOnes = async () => {
      const rows = await database.query<{ pid: number }>(sql`
        select pid from pg_stat_activity where pid = any(${pids}::int[])`);
      return rows.map(({ pid }) => pid);
    };
    await expect.poll(async () => (await openOnes()).length).toBeLessThanOrEqual(1);
    const [kept] = await openOnes();
    expect(await pidOfNext()).toBe(kept);
  } finally {
    await database.close();
    await raw.drop();
  }
});

test("lanes that share their connections use the same one after another, and two at once", async () => {
  const raw = await createEmptyDatabase();
  const database = await Database.open(raw.connection, { pipelines: 1, sharesConnections: true });
  const pidOf = async (tx: Queryable) => {
    const [row] = await tx.query<{ pid: number }>(sql`select pg_backend_pid() as pid`);
    return row?.pid as number;
  };
  try {
    const change = await database.transaction(pidOf);
    const reads = [await database.snapshot(pidOf), await database.snapshot(pidOf, "searches")];
    expect(reads).toEqual([change, change]);
    const [outer, inner] = await database.transaction(async (tx) => [
      await pidOf(tx),
      await database.transaction(pidOf, { lane: "places" }),
    ]);
    expect(outer).not.toBe(inner);
    expect(database.laneUse.changes).toMatchObject({ connections: 6, taken: 0 });
  } finally {
    await database.close();
    await raw.drop();
  }
});
