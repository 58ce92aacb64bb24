import { readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { makeTemporaryDirectory } from "../postgres/throw-away.ts";
import { type BackupRecord, readBackupRecord, writeBackupRecord } from "./backup-record.ts";
import { DirectoryTarget } from "./directory-target.ts";
import {
  claimTarget,
  deleteManifest,
  listBackups,
  type Manifest,
  type StoredSecret,
  writeManifest,
} from "./manifest.ts";
import { BackupSchedule, type ScheduleOptions } from "./schedule.ts";
import { BackupBusy, BackupError } from "./target.ts";

let dir: string;
let target: DirectoryTarget;
let lines: { level: string; facts: Record<string, unknown>; sentence: string }[];
/** The clock of the schedule. */
let now: Date;

beforeEach(async () => {
  dir = makeTemporaryDirectory("parley-schedule-");
  const made = dir;
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  target = new DirectoryTarget(path.join(dir, "target"));
  await claimTarget(target, "1");
  lines = [];
  now = at(28, 8);
});

const at = (day: number, hour: number) => new Date(2026, 10, day, hour);
const note = (level: string) => (facts: object, sentence: string) =>
  void lines.push({ level, facts: facts as Record<string, unknown>, sentence });

function start(make: ScheduleOptions["make"], secret?: string): BackupSchedule {
  const log = { error: note("error"), info: note("info") } as unknown as ScheduleOptions["log"];
  const options = { target, dataDir: dir, times: [180], secret, make, log, firstLookMs: 0, retryMs: 5 };
  const schedule = new BackupSchedule({ ...options, now: () => now });
  onTestFinished(() => schedule.stop());
  return schedule;
}

/** As `parley backup` would. */
async function made(when: Date, secret: StoredSecret = { kind: "left out" }): Promise<void> {
  const time = when.toISOString();
  const list = { count: 1, bytes: 500, pieces: [] };
  const manifest = { id: time, startedAt: time, finishedAt: time, secret, database: list, files: list };
  await writeManifest(target, manifest as unknown as Manifest);
}

const ids = async () => (await listBackups(target)).map(({ id }) => id);
const recorded = () => readBackupRecord(dir);
const hasRecord = (record: Partial<BackupRecord>) => expect.poll(recorded).toMatchObject(record);

test("a first backup is made at once, and noted with its size", async () => {
  start(() => made(now));
  await hasRecord({
    newest: {
      id: now.toISOString(),
      startedAt: now.toISOString(),
      finishedAt: now.toISOString(),
      bytes: 1000,
    },
  });
  expect(await recorded()).toMatchObject({ target: target.name, since: now.toISOString(), failures: 0 });
  expect(lines).toMatchObject([{ level: "info", sentence: "a backup was made" }]);
});

test("after a restart one that is not due is not made, and one that was missed is", async () => {
  await made(at(28, 4));
  const first = start(() => made(now));
  await hasRecord({ newest: expect.objectContaining({ id: at(28, 4).toISOString() }) });
  await first.stop();
  now = at(29, 9);
  start(() => made(now));
  await hasRecord({ newest: expect.objectContaining({ id: now.toISOString() }) });
  expect(await ids()).toEqual([at(28, 4), at(29, 9)].map((time) => time.toISOString()));
});

test("after a rotation of the secret one is made at once, and no other", async () => {
  const included = (value: string): StoredSecret => ({ kind: "included", value });
  await made(at(28, 4), included("the secret of before"));
  const first = start(() => made(now), "the secret of before");
  await hasRecord({ newest: expect.objectContaining({ id: at(28, 4).toISOString() }) });
  await first.stop();
  for (const hour of [9, 10]) {
    now = at(28, hour);
    const schedule = start(() => made(now, included("the secret of after")), "the secret of after");
    await hasRecord({ newest: expect.objectContaining({ id: at(28, 9).toISOString() }) });
    await schedule.stop();
  }
  expect(await ids()).toEqual([at(28, 4), at(28, 9)].map((time) => time.toISOString()));
});

test("a failure is logged in a sentence and noted, tried again, and forgotten after a good one", async () => {
  let isFull = true;
  start(async () => {
    if (isFull) throw new BackupError("disk-full", "The disk of /mnt is full.");
    now = at(28, 9);
    await made(now);
  });
  await expect.poll(async () => (await recorded())?.failures).toBeGreaterThan(1);
  expect(await recorded()).toMatchObject({
    failure: { at: at(28, 8).toISOString(), sentence: "The disk of /mnt is full." },
  });
  expect(lines[0]).toMatchObject({
    level: "error",
    facts: { failures: 1, waitMs: 5 },
    sentence: "The backup failed, and will be tried again: The disk of /mnt is full.",
  });
  expect(lines[0]?.facts).not.toHaveProperty("err");
  expect(lines[1]?.facts).toMatchObject({ failures: 2, waitMs: 10 });
  isFull = false;
  await hasRecord({ failures: 0 });
  expect(await recorded()).not.toHaveProperty("failure");
});

test("while somebody makes a backup there is none beside it, and that one counts", async () => {
  let tries = 0;
  start(async () => {
    if (++tries < 3) throw new BackupBusy("backup-busy", "Another backup is being made.");
    await made(now);
    throw new BackupBusy("backup-busy", "Another backup is being made.");
  });
  await hasRecord({ failures: 0, newest: expect.objectContaining({ id: now.toISOString() }) });
  expect(tries).toBe(3);
  expect(lines).toEqual([]);
});

test("a target that has lost its backups is not written to", async () => {
  const newest = {
    id: "one",
    startedAt: at(27, 3).toISOString(),
    finishedAt: at(27, 3).toISOString(),
    bytes: 1,
  };
  await writeBackupRecord(dir, { target: target.name, since: newest.startedAt, newest, failures: 0 });
  let tries = 0;
  start(async () => void tries++);
  await hasRecord({
    failure: {
      at: now.toISOString(),
      sentence: `${target.name} had the backup one, and now has none. Is its disk mounted? If it was emptied on purpose, delete backups.json in ${dir}.`,
    },
  });
  expect(tries).toBe(0);
  // A look that has read the record meanwhile writes it again.
  await expect
    .poll(() => {
      if (tries === 0) rmSync(path.join(dir, "backups.json"), { force: true });
      return tries;
    })
    .toBeGreaterThan(0);
});

test("another target begins a record of its own", async () => {
  const newest = {
    id: "one",
    startedAt: at(27, 3).toISOString(),
    finishedAt: at(27, 3).toISOString(),
    bytes: 1,
  };
  await writeBackupRecord(dir, { target: "/elsewhere", since: newest.startedAt, newest, failures: 4 });
  start(() => made(now));
  await hasRecord({ target: target.name, since: now.toISOString(), failures: 0 });
});

test("without times backups are looked at and not made", async () => {
  await made(at(20, 3));
  const log = { error: note("error"), info: note("info") } as unknown as ScheduleOptions["log"];
  let tries = 0;
  const options = { target, dataDir: dir, times: [], log, firstLookMs: 0, now: () => now };
  const schedule = new BackupSchedule({ ...options, make: async () => void tries++ });
  onTestFinished(() => schedule.stop());
  await hasRecord({ newest: expect.objectContaining({ id: at(20, 3).toISOString() }) });
  expect(tries).toBe(0);
});

test("a stop ends a backup that is being made, and that is no failure", async () => {
  let begun = false;
  const schedule = start(async (signal) => {
    begun = true;
    await new Promise((_, reject) => signal.addEventListener("abort", () => reject(new Error("killed"))));
  });
  await expect.poll(() => begun).toBe(true);
  await schedule.stop();
  expect([await recorded(), lines]).toEqual([undefined, []]);
});

test("a record that is damaged is written again", async () => {
  await made(at(28, 4));
  rmSync(path.join(dir, "backups.json"), { force: true });
  await writeBackupRecord(dir, {} as BackupRecord);
  start(async () => {});
  await hasRecord({ target: target.name });
  expect(JSON.parse(readFileSync(path.join(dir, "backups.json"), "utf8")).newest.id).toBe(
    at(28, 4).toISOString(),
  );
  await deleteManifest(target, at(28, 4).toISOString());
});
