/**
 * Every command over good data, beside the server and without one. docs/commands.md has the table, which this
 * test compares.
 */
import pg from "pg";
import { beforeAll, expect, test } from "vitest";
import { findRunningPostgres } from "../../server/platform/postgres/running.ts";
import { build, start, usedDirectory } from "./parley.ts";
import type { Outcome, State } from "./walk.ts";
import { place, walk } from "./walk-lanes.ts";
import { expectTable, type Found } from "./walk-table.ts";
import { allNames, lookingAtNoData } from "./walk-words.ts";

beforeAll(build);

const names = allNames.filter((name) => !lookingAtNoData.includes(name));
/** A command of a group needs what the one before it did, so a group keeps its order. */
const inOrder = names.filter((name) => /^(user|channel) /.test(name));
/** They come last: a second organization makes other commands ask which one is meant. */
const organizations = names.filter((name) => name.startsWith("organization "));
const others = names.filter((name) => !inOrder.includes(name) && !organizations.includes(name));
const halfOf = (half: number) => others.filter((_name, index) => index % 2 === half);

const states: [state: string, walked: () => Promise<Record<string, Outcome>>][] = [
  ["the server runs", besideTheServer],
  ["the server is stopped", withoutServer],
];

/** One server for all of them. */
async function besideTheServer(): Promise<Record<string, Outcome>> {
  const dataDir = await usedDirectory("demo");
  const server = await start(["demo"], { env: { PARLEY_DATA_DIR: dataDir } });
  const before = await migrationsOf(dataDir);
  const state = (): State => ({ dataDir, env: { PARLEY_PORT: server.port }, cwd: place() });
  const lanes = [inOrder, halfOf(0), halfOf(1)].map((lane) => ({ names: lane, state: state() }));
  const found = await walk(lanes);
  Object.assign(found, await walk([{ names: organizations, state: state() }]));
  expect(await migrationsOf(dataDir)).toEqual(before);
  expect((await server.stop()).code).toBe(0);
  return found;
}

/** Each command starts the database, so each lane has a copy of the data. */
async function withoutServer(): Promise<Record<string, Outcome>> {
  const lanes = [inOrder, halfOf(0), [...halfOf(1), ...organizations]].map(async (lane) => ({
    names: lane,
    state: { dataDir: await usedDirectory("demo"), cwd: place() },
  }));
  return walk(await Promise.all(lanes));
}

async function migrationsOf(dataDir: string): Promise<unknown[]> {
  const client = new pg.Client((await findRunningPostgres(dataDir)) as pg.ClientConfig);
  await client.connect();
  try {
    return (await client.query("select * from migrations order by id")).rows;
  } finally {
    await client.end();
  }
}

const found: Found = {};

test.each(states)(
  "when %s each command does its work, or ends with one sentence",
  { timeout: 300_000 },
  async (state, walked) => {
    found[state] = await walked();
    expect(Object.keys(found[state])).toHaveLength(names.length);
  },
);

test("the table has how each command ended over good data", () => {
  expectTable(names, found);
});
