import { afterEach, expect, test, vi } from "vitest";
import { createEmptyDatabase } from "../../../test/harness/postgres.ts";
import { Database } from "./database.ts";
import { SLOW_STATEMENT_MS, slowStatements } from "./slow-statements.ts";
import { sql } from "./sql.ts";

afterEach(() => vi.useRealTimers());

test("a slow statement is named with its time, and neither its values nor what waited behind it", async () => {
  const raw = await createEmptyDatabase();
  const noted: [string, number][] = [];
  const onSlow = (text: string, ms: number) => void noted.push([text, ms]);
  const database = await Database.open(raw.connection, { pipelines: 1, onSlow });
  try {
    const slow = sql`select pg_sleep(${2.2}::float8) is null as "is ${sql`slow`}"`;
    await Promise.all([database.query(slow), database.query(sql`select 1 as quick`)]);
    await database.transaction((tx) => Promise.all([tx.query(slow), tx.query(sql`select 2 as quick`)]));
    expect(noted.map(([text]) => text)).toEqual(
      Array(2).fill('select pg_sleep($1::float8) is null as "is slow"'),
    );
    // PostgreSQL may begin the second before the answer to the one before it is read here.
    for (const [, ms] of noted) expect(ms).toBeGreaterThanOrEqual(SLOW_STATEMENT_MS);
  } finally {
    await database.close();
    await raw.drop();
  }
});

test("lines are short, and of a flood the rest is counted", () => {
  vi.useFakeTimers();
  const lines: unknown[][] = [];
  const note = slowStatements({ warn: (...line: unknown[]) => void lines.push(line) });
  note(`select\n    ${"x".repeat(1000)}`, 2345.6);
  expect(lines).toEqual([[{ statement: `select ${"x".repeat(293)}`, ms: 2346 }, "slow statement"]]);
  for (let count = 0; count < 100; count++) note("select 1", 3000);
  expect(lines).toHaveLength(20);
  vi.advanceTimersByTime(60_000);
  expect(lines.at(-1)).toEqual([{ count: 81 }, "further slow statements"]);
  note("select 2", 3000);
  expect(lines.at(-1)).toEqual([{ statement: "select 2", ms: 3000 }, "slow statement"]);
  vi.advanceTimersByTime(60_000);
  expect(lines).toHaveLength(22);
});
