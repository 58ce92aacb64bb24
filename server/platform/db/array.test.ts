import { afterAll, beforeAll, expect, test } from "vitest";
import { createEmptyDatabase, type TestDatabase } from "../../../test/harness/postgres.ts";
import { int4Array, int8Array, textArray } from "./array.ts";
import { Database } from "./database.ts";
import { type Sql, sql } from "./sql.ts";

let cluster: TestDatabase;
let database: Database;

beforeAll(async () => {
  cluster = await createEmptyDatabase();
  database = await Database.open(cluster.connection);
});

afterAll(async () => {
  await database.close();
  await cluster.drop();
});

async function one(statement: Sql): Promise<unknown> {
  const [row] = await database.query<{ value: unknown }>(statement);
  return row?.value;
}

test("whole numbers that a double holds exactly arrive unchanged", async () => {
  const numbers = [
    0,
    1,
    -1,
    2 ** 31,
    2 ** 32,
    -(2 ** 32) - 1,
    Number.MAX_SAFE_INTEGER,
    Number.MIN_SAFE_INTEGER,
  ];
  expect(await one(sql`select ${int8Array(numbers)}::bigint[] as value`)).toEqual(numbers);
  const small = [0, -1, 2 ** 31 - 1, -(2 ** 31)];
  expect(await one(sql`select ${int4Array(small)}::int[] as value`)).toEqual(small);
});

test("texts arrive unchanged, whatever characters they contain", async () => {
  const texts = [
    "",
    "plain",
    'a "quote", a \\ and a {brace}',
    "NULL",
    "é 日本語 🦜",
    "\n\t",
    "x".repeat(100_000),
  ];
  expect(await one(sql`select ${textArray(texts)}::text[] as value`)).toEqual(texts);
});

test("null keeps its place among other values", async () => {
  expect(await one(sql`select to_json(${int8Array([null, 7, null])}::bigint[]) as value`)).toEqual([
    null,
    7,
    null,
  ]);
  expect(await one(sql`select ${textArray(["a", null])}::text[] as value`)).toEqual(["a", null]);
});

test("an empty array arrives as an empty array", async () => {
  const arrays = sql`${int8Array([])}::bigint[] = '{}' and ${int4Array([])}::int[] = '{}' and ${textArray([])}::text[] = '{}'`;
  expect(await one(sql`select ${arrays} as value`)).toBe(true);
});
