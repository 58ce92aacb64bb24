import { existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { DirectoryStorage } from "../file-storage/directory-storage.ts";
import { startEmbeddedPostgres } from "../postgres/launcher.ts";
import { makeTemporaryDirectory, startThrowAwayPostgres } from "../postgres/throw-away.ts";
import { type BackupSource, makeBackup } from "./backup.ts";
import { DirectoryTarget } from "./directory-target.ts";
import { parseKeepRule } from "./keep-rule.ts";
import { LogArchive } from "./log-archive.ts";
import {
  deleteChunk,
  formatLocation,
  type LogChunk,
  listChunks,
  listStreams,
  parseLocation,
  readUntil,
} from "./log-chunks.ts";
import { findBackup, findBackupBefore } from "./manifest.ts";
import { openTarget } from "./open-target.ts";
import { restoreBackup } from "./restore.ts";
import { startArchive } from "./start-archive.ts";
import type { BackupTarget } from "./target.ts";

/** No target is named. */
const unset = { backupKey: undefined, backupS3: undefined, s3: undefined };
let postgres: Awaited<ReturnType<typeof startThrowAwayPostgres>>;
let dir: string;
let target: BackupTarget;
let source: BackupSource;
let failures: unknown[];

beforeAll(async () => {
  postgres = await startThrowAwayPostgres();
  await statement("create table notes (id int primary key, text text)");
});
afterAll(() => postgres.stop());

beforeEach(async () => {
  dir = makeTemporaryDirectory("parley-archive-");
  const made = dir;
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  target = new DirectoryTarget(path.join(dir, "target"));
  const files = new DirectoryStorage(path.join(dir, "files"));
  await files.prepare();
  source = { connection: postgres.connection, files, secret: { kind: "left out" } };
  failures = [];
  // The stream of an earlier test has another target.
  await (
    await startArchive(
      { backup: undefined, ...unset, dataDir: dir, files: undefined },
      postgres.connection,
      noLog,
    )
  ).stop();
  await statement("truncate notes");
});

const noLog = { error: () => {} };

test.each([
  ["", undefined],
  ["that is encrypted ", "a-key-for-the-backups"],
])("a target %shas each moment after a backup: a mistake can be undone", async (_, key) => {
  target = openTarget({ place: path.join(dir, "target"), key: key, s3: undefined });
  const archive = start();
  await statement("insert into notes values (1, 'before the backup')");
  await archived();
  await makeBackup(source, target);
  await statement("insert into notes select n, repeat('x', 500) from generate_series(2, 2000) n");
  const good = await moment();
  await statement("delete from notes");
  await archived();
  await statement("insert into notes values (9000, 'after the mistake')");
  await archived();
  await archive.stop();

  expect(await restored(good)).toEqual([{ count: 2000, max: 2000 }]);
  expect(await restored("newest")).toEqual([{ count: 1, max: 9000 }]);
  expect(await restored("backup")).toEqual([{ count: 1, max: 1 }]);
  expect(failures).toEqual([]);
});

test("a moment after the last commit is restored, and one after the end of the log is refused", async () => {
  const archive = start();
  await archived();
  await makeBackup(source, target);
  await statement("insert into notes values (1, 'the last one')");
  await archived();
  const quiet = await moment();
  await archived();
  await archive.stop();

  expect(await restored(quiet)).toEqual([{ count: 1, max: 1 }]);
  await expect(restored(new Date(Date.now() + 60_000))).rejects.toThrow(/The archived log .* ends at/);
  await expect(findBackupBefore(target, new Date(0))).rejects.toThrow("There is no backup in");
});

test("without an archive only the moment of a backup can be restored", async () => {
  await makeBackup(source, target);
  await expect(restored(new Date())).rejects.toThrow("No log was archived after the backup");
  expect(await restored("newest")).toEqual([{ count: 0, max: null }]);
});

test("the archive goes on where it ended when it stops and starts", async () => {
  await start().stop();
  const first = start();
  await archived();
  await makeBackup(source, target);
  await first.stop();
  await statement("insert into notes values (7, 'while the archive stood still')");
  const second = start();
  await archived();
  await second.stop();
  expect((await listStreams(target)).size).toBe(1);
  expect(await restored("newest")).toEqual([{ count: 1, max: 7 }]);
});

test("what a killed archive had begun to write is deleted by the next one", async () => {
  const first = start();
  await archived();
  await first.stop();
  const [stream = ""] = await listStreams(target);
  const left = path.join(dir, "target", "log", stream, "half.gz.part");
  writeFileSync(left, "half");
  const second = start();
  await archived();
  await second.stop();
  expect(existsSync(left)).toBe(false);
  expect(failures).toEqual([]);
});

test("a target that can't be written is reported, keeps no statement waiting, and is tried again", async () => {
  writeFileSync(path.join(dir, "target"), "a file");
  const archive = start(10);
  await expect.poll(() => failures.length).toBeGreaterThan(0);
  expect(failures[0]).toMatchObject({ message: expect.stringContaining("is not a directory") });
  await statement("insert into notes values (8, 'while the target was away')");
  rmSync(path.join(dir, "target"));
  await archived();
  await archive.stop();
});

test("a damaged part of the log is named, and what is before it can be restored", async () => {
  const archive = start();
  await archived();
  await makeBackup(source, target);
  await statement("insert into notes values (1, 'good')");
  await archived();
  await archive.stop();
  const { log = "" } = await findBackup(target);
  const newest = readdirSync(path.join(dir, "target", "log", log), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".gz"))
    .sort()
    .at(-1) as string;
  writeFileSync(path.join(dir, "target", "log", log, newest), "damaged");
  await expect(restored("newest")).rejects.toThrow("is damaged, so the log can't be followed past it");
  expect(await restored("backup")).toEqual([{ count: 0, max: null }]);
});

test("a part of the log that is missing is never passed over", async () => {
  const archive = start();
  await archived();
  await makeBackup(source, target);
  await statement("insert into notes values (1, 'before the gap')");
  await archived();
  const before = await moment();
  // A commit after the moment shows that it was reached.
  await statement("insert into notes values (2, 'before the gap, too')");
  await archived();
  const { log = "" } = await findBackup(target);
  const known = (await listChunks(target, log)).length;
  await statement("insert into notes values (3, 'in the gap')");
  await archived();
  await statement("insert into notes values (4, 'after the gap')");
  const after = await moment();
  await archived();
  await archive.stop();
  await deleteChunk(target, (await listChunks(target, log))[known] as LogChunk);

  expect(await restored(before)).toEqual([{ count: 1, max: 1 }]);
  await expect(restored(after)).rejects.toThrow(/lacks a part after the backup .* Name an earlier one/);
  await expect(restored("newest")).rejects.toThrow(/lacks a part after the backup .* --at/);
  expect(await restored("backup")).toEqual([{ count: 0, max: null }]);
});

test("the log goes with the backups that it follows", async () => {
  const archive = start();
  await archived();
  await makeBackup(source, target);
  const { log = "" } = await findBackup(target);
  const before = await listChunks(target, log);
  await archived();
  await makeBackup(source, target, parseKeepRule("1w"));
  expect(before.length).toBeGreaterThan(0);
  const { startLocation } = await findBackup(target);
  for (const { end } of await listChunks(target, log)) expect(end > parseLocation(startLocation)).toBe(true);
  await archive.stop();
});

test("locations are read and written as PostgreSQL does", () => {
  expect(parseLocation("0/2000120")).toBe(0x2000120n);
  expect(parseLocation("1A/FF000000")).toBe(0x1aff000000n);
  expect(formatLocation(0x1aff000000n)).toBe("1A/FF000000");
});

function start(retryMs?: number): LogArchive {
  const archive = new LogArchive({
    connection: postgres.connection,
    target,
    report: (error) => failures.push(error),
    flushMs: 20,
    ...(retryMs && { retryMs }),
  });
  onTestFinished(() => archive.stop());
  return archive;
}

/** Waits until all that was committed so far is in the target. */
async function archived(): Promise<void> {
  const at = Date.now();
  const isThere = async () => {
    for (const stream of await listStreams(target))
      if (((await readUntil(target, stream))?.at.getTime() ?? 0) > at) return true;
    return false;
  };
  await expect.poll(isThere).toBe(true);
}

/** A moment that nothing else happens at. */
async function moment(): Promise<Date> {
  const at = new Date(Date.now() + 2);
  await expect.poll(() => Date.now()).toBeGreaterThan(at.getTime() + 2);
  return at;
}

let restores = 0;

async function restored(until: "backup" | "newest" | Date): Promise<unknown[]> {
  const dataDir = path.join(dir, `restored-${restores++}`);
  const files = new DirectoryStorage(path.join(dataDir, "files"));
  await restoreBackup(target, await findBackup(target), { dataDir, files, until });
  const started = await startEmbeddedPostgres({ dataDir });
  try {
    return await statement("select count(*)::int as count, max(id) as max from notes", started.connection);
  } finally {
    await started.stop();
  }
}

async function statement(text: string, connection = postgres.connection): Promise<unknown[]> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}
