/** Every command in every trouble. docs/commands.md has the table, which this test compares. */

import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync } from "node:fs";
import path from "node:path";
import pg from "pg";
import { beforeAll, expect, test } from "vitest";
import { startEmbeddedPostgres } from "../../server/platform/postgres/launcher.ts";
import { build, isRoot, type Person, parley, usedDirectory } from "./parley.ts";
import type { Outcome, State } from "./walk.ts";
import { inLanes, place, walk } from "./walk-lanes.ts";
import { expectTable, type Found } from "./walk-table.ts";
import { allNames, lookingAtNoData } from "./walk-words.ts";

beforeAll(build);

const nobody: Person = isRoot ? { uid: 65_534, gid: 65_534 } : {};

const states: [state: string, walked: () => Promise<Record<string, Outcome>>][] = [
  ["no data", async () => walk(inLanes(3, () => noData))],
  [
    "data of another user",
    async () => {
      const dataDir = await usedDirectory("demo");
      return walk(inLanes(3, () => ({ dataDir, person: nobody, cwd: place(nobody) })));
    },
  ],
  ["a newer release's", newer],
  [
    "no database answers",
    async () =>
      walk(
        inLanes(3, () => ({
          ...noData(),
          env: {
            DATABASE_URL: "postgres://parley:hunter2@127.0.0.1:1/parley",
            PARLEY_SECRET: "a secret of enough characters",
          },
        })),
      ),
  ],
  [
    "the directory is read-only",
    async () => {
      const dataDir = await usedDirectory("demo");
      if (isRoot) execFileSync("chown", ["-R", "65534:65534", dataDir]);
      chmodSync(dataDir, 0o555);
      return walk(inLanes(3, () => ({ dataDir, person: nobody, cwd: place(nobody) })));
    },
  ],
];

function noData(): State {
  const dataDir = path.join(place(), "data");
  mkdirSync(dataDir);
  return { dataDir, cwd: place() };
}

/** Another node of a newer release uses the database, and then none. */
async function newer(): Promise<Record<string, Outcome>> {
  const dataDir = await usedDirectory("demo");
  const postgres = await startEmbeddedPostgres({ dataDir, isServer: true });
  const client = new pg.Client(postgres.connection);
  await client.connect();
  await client.query("insert into migrations (id, name) select max(id) + 1, 'of tomorrow' from migrations");
  const before = (await client.query("select * from migrations order by id")).rows;
  const alone = ["serve", "demo", "doctor", "secret rotate", "secret reset"];
  const lanes = inLanes(3, () => ({ dataDir, cwd: place() }));
  const found = await walk(
    lanes.map(({ names, state }) => ({ names: names.filter((name) => !alone.includes(name)), state })),
  );
  expect((await client.query("select * from migrations order by id")).rows).toEqual(before);
  await client.end();
  await postgres.stop();
  return { ...found, ...(await walk([{ names: alone, state: { dataDir, cwd: place() } }])) };
}

const found: Found = {};

test.each(states)(
  "with %s each command ends with one sentence, and makes nothing",
  { timeout: 300_000 },
  async (state, walked) => {
    found[state] = await walked();
    expect(Object.keys(found[state])).toHaveLength(allNames.length);
  },
);

test("the table has each command of the program, and how it ended", async () => {
  const { stdout } = await parley(["--help"]);
  const names = [...stdout.matchAll(/^ {2}([a-z-]+(?: [a-z-]+)?) {2,}\S/gm)].map(([, name]) => name);
  expect(names).toEqual(allNames);
  expectTable(allNames, found);
});

test.each(lookingAtNoData)("%s ends alike in every state", (name) => {
  const [first, ...others] = Object.values(found).map((outcomes) => outcomes[name]);
  expect(others).toEqual(others.map(() => first));
});
