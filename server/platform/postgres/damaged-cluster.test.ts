import {
  chmodSync,
  cpSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { hasCluster } from "./cluster-files.ts";
import { startEmbeddedPostgres } from "./launcher.ts";
import { makeTemporaryDirectory } from "./throw-away.ts";

let template: string;
let dataDir: string;
beforeAll(async () => {
  template = makeTemporaryDirectory("parley-damaged-");
  await start(template).then((postgres) => postgres.stop());
});
afterAll(() => rmSync(template, { recursive: true, force: true }));
afterEach(() => rmSync(path.dirname(dataDir), { recursive: true, force: true }));

const start = (dir: string) => startEmbeddedPostgres({ dataDir: dir, settings: { fsync: "off" } });

/** A copy of a database, with its owners. */
function copied(): string {
  dataDir = path.join(makeTemporaryDirectory("parley-damaged-"), "data");
  cpSync(template, dataDir, { recursive: true, verbatimSymlinks: true });
  return path.join(dataDir, "postgres");
}

const remove = (name: string) => (cluster: string) =>
  rmSync(path.join(cluster, name), { recursive: true, force: true });
const write = (name: string, text: string) => (cluster: string) =>
  writeFileSync(path.join(cluster, name), text);
function emptyLog(cluster: string): void {
  for (const name of readdirSync(path.join(cluster, "pg_wal"))) {
    if (/^[0-9A-F]{24}$/.test(name)) rmSync(path.join(cluster, "pg_wal", name));
  }
}

test.each<[what: string, damage: (cluster: string) => void, fault: string, sentence: string]>([
  [
    "pg_control is missing",
    remove("global/pg_control"),
    "database-damaged",
    "global/pg_control is missing there",
  ],
  [
    "pg_control is cut off",
    (cluster) => truncateSync(path.join(cluster, "global/pg_control"), 100),
    "database-damaged",
    "is damaged: ",
  ],
  [
    "pg_control has other bytes",
    write("global/pg_control", "x".repeat(8192)),
    "database-damaged",
    "global/pg_control is not what PostgreSQL has written",
  ],
  ["PG_VERSION is missing", remove("PG_VERSION"), "database-damaged", "PG_VERSION is missing there"],
  [
    "PG_VERSION is of something else",
    write("PG_VERSION", "\u001b[2Jhello\n"),
    "database-damaged",
    "PG_VERSION names no version",
  ],
  [
    "PG_VERSION is of another version",
    write("PG_VERSION", "12\n"),
    "database-version",
    "was made by PostgreSQL 12",
  ],
  ["the log is missing", remove("pg_wal"), "database-damaged", "pg_wal is missing there"],
  ["the log is empty", emptyLog, "database-damaged", "its log in pg_wal lacks the last checkpoint"],
  ["`global` is missing", remove("global"), "database-damaged", "global and 1 more part are missing there"],
  ["`base` is missing", remove("base"), "database-damaged", "base is missing there"],
  [
    "`base` is empty",
    (cluster) => {
      remove("base")(cluster);
      mkdirSync(path.join(cluster, "base"));
    },
    "database-damaged",
    "is damaged: ",
  ],
  [
    "an empty directory was not copied",
    remove("pg_notify"),
    "database-damaged",
    "pg_notify is missing there",
  ],
  [
    "a file of settings is missing",
    remove("pg_hba.conf"),
    "database-damaged",
    "pg_hba.conf is missing there",
  ],
  [
    "states of transactions are missing",
    (cluster) => {
      remove("pg_xact/0000")(cluster);
    },
    "database-damaged",
    "is damaged: ",
  ],
  [
    "a file is in its place",
    (cluster) => {
      remove("")(cluster);
      writeFileSync(cluster, "");
    },
    "data-not-a-directory",
    "must be the directory of the database, but is a file",
  ],
  [
    "something else is there",
    (cluster) => {
      remove("")(cluster);
      mkdirSync(cluster);
      writeFileSync(path.join(cluster, "letter.odt"), "");
    },
    "database-damaged",
    "contains something that is not a PostgreSQL database",
  ],
])("a damaged database gets a sentence of its own: %s", async (_, damage, fault, sentence) => {
  const cluster = copied();
  damage(cluster);
  const before = listing(cluster);
  const error = await start(dataDir).then(
    (postgres) => postgres.stop().then(() => undefined),
    (reason: Error) => reason,
  );
  expect(error).toMatchObject({ name: "StartError", fault, message: expect.stringContaining(sentence) });
  expect(error?.message).toContain(cluster);
  expect(error?.message).not.toContain("\n");
  expect(error?.message).not.toContain("\u001b");
  // What is left of it can still be copied and looked at.
  expect(listing(cluster)).toEqual(before);
  expect(hasCluster(dataDir)).toBe(true);
});

/** PostgreSQL writes files of its own before it looks at the rest. */
function listing(cluster: string): string[] {
  if (!statSync(cluster).isDirectory()) return [];
  return readdirSync(cluster)
    .filter((name) => !/^postmaster\.(pid|opts)$/.test(name))
    .sort();
}

test("a directory that others can enter is closed to them", async () => {
  for (const mode of [0o755, 0o777, 0o701]) {
    const cluster = copied();
    chmodSync(cluster, mode);
    await (await start(dataDir)).stop();
    expect(lstatSync(cluster).mode & 0o777).toBe(0o700);
    rmSync(path.dirname(dataDir), { recursive: true });
  }
  const cluster = copied();
  chmodSync(cluster, 0o750);
  await (await start(dataDir)).stop();
  expect(lstatSync(cluster).mode & 0o777).toBe(0o750);
});

test("an empty directory is no database: a first start makes one, unless people's files are there", async () => {
  const cluster = copied();
  rmSync(cluster, { recursive: true });
  mkdirSync(cluster);
  expect(hasCluster(dataDir)).toBe(false);
  const file = path.join(dataDir, "files", "1", "ab");
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, "");
  await expect(start(dataDir)).rejects.toMatchObject({ fault: "database-lost" });
  rmSync(path.join(dataDir, "files"), { recursive: true });
  await (await start(dataDir)).stop();
  expect(hasCluster(dataDir)).toBe(true);
});
