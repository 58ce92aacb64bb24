/** Every command in every trouble. docs/commands.md has the table, which this test compares. */

import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { beforeAll, expect, test } from "vitest";
import { startEmbeddedPostgres } from "../../server/platform/postgres/launcher.ts";
import { build, isRoot, type Person, parley, temporaryDirectory, usedDirectory } from "./parley.ts";
import { type Outcome, outcomeOf, type State } from "./walk.ts";
import { wordsOf } from "./walk-words.ts";

beforeAll(build);

const PAGE = fileURLToPath(new URL("../../docs/commands.md", import.meta.url));
const nobody: Person = isRoot ? { uid: 65_534, gid: 65_534 } : {};

const allNames = Object.keys(wordsOf(""));

/** Runs the commands in their order, and those of different lanes beside each other. */
async function walk(lanes: readonly { names: readonly string[]; state: State | (() => State) }[]) {
  const found: Record<string, Outcome> = {};
  await Promise.all(
    lanes.map(async ({ names, state }) => {
      const words = wordsOf(place(typeof state === "function" ? {} : state.person));
      for (const name of names) {
        const now = typeof state === "function" ? state() : state;
        found[name] = await outcomeOf(name, words[name] ?? [], now);
      }
    }),
  );
  return found;
}

/** So many lanes in one and the same state. */
function inLanes<S>(count: number, state: () => S) {
  return Array.from({ length: count }, (_, lane) => ({
    names: allNames.filter((_name, index) => index % count === lane),
    state: state(),
  }));
}

function place(person: Person = {}): string {
  return temporaryDirectory(person);
}

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
  const alone = ["serve", "demo", "doctor", "secret reset"];
  const lanes = inLanes(3, () => ({ dataDir, cwd: place() }));
  const found = await walk(
    lanes.map(({ names, state }) => ({ names: names.filter((name) => !alone.includes(name)), state })),
  );
  expect((await client.query("select * from migrations order by id")).rows).toEqual(before);
  await client.end();
  await postgres.stop();
  return { ...found, ...(await walk([{ names: alone, state: { dataDir, cwd: place() } }])) };
}

const found: Record<string, Record<string, Outcome>> = {};

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
  const rows = allNames.map(
    (name) => `| \`${name}\` | ${states.map(([state]) => cell(found[state]?.[name])).join(" | ")} |`,
  );
  const table = [
    `| | ${states.map(([state]) => state).join(" | ")} |`,
    `|${" --- |".repeat(states.length + 1)}`,
    ...rows,
  ].join("\n");
  const page = readFileSync(PAGE, "utf8");
  const written = page.replace(/^\| \|[\s\S]*\|$/m, () => table);
  if (process.env.WRITE_COMMANDS) writeFileSync(PAGE, written);
  else expect(page).toBe(written);
});

function cell(outcome: Outcome = ""): string {
  return outcome.replace(/P\d{3}/, (number) => `[${number}](faults.md#${number.toLowerCase()})`);
}
