import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { writeBackupRecord } from "../../server/platform/backup/backup-record.ts";
import { DirectoryTarget } from "../../server/platform/backup/directory-target.ts";
import { writeUntil } from "../../server/platform/backup/log-chunks.ts";
import { claimTarget, type Manifest, writeManifest } from "../../server/platform/backup/manifest.ts";
import { lockDataDirectory } from "../../server/platform/postgres/lock.ts";
import { checkBackups } from "./backup-check.ts";

const NOW = new Date("2026-11-28T08:30:00Z");
const DAILY = [180];
const none = { backupKey: undefined, backupS3: undefined, s3: undefined };
let dataDir: string;
let backup: string;
let target: DirectoryTarget;

beforeEach(() => {
  const dir = mkdtempSync(path.join(os.tmpdir(), "parley-backup-check-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  [dataDir, backup] = [path.join(dir, "data"), path.join(dir, "backups")];
  target = new DirectoryTarget(backup);
});

test("doctor warns of a target without backups, and fails one that is none", async () => {
  expect(await check()).toMatchObject({ hasPassed: false, text: expect.stringContaining("no backups") });
  await claimTarget(target, "1");
  expect(await check()).toMatchObject({
    isWarning: true,
    text: expect.stringContaining("was ever finished"),
  });
});

test("doctor warns of a backup of three days ago, and of one without the log", async () => {
  await claimTarget(target, "1");
  await made("2026-11-25T08:00:00.000Z", "s");
  expect(await check()).toMatchObject({ isWarning: true, text: expect.stringContaining("is of 2026-11-25") });
  await made("2026-11-28T01:00:00.000Z");
  expect(await check()).toMatchObject({
    isWarning: true,
    text: expect.stringContaining("without the archived log"),
  });
});

test("doctor warns of a log that stands still while the server runs", async () => {
  await claimTarget(target, "1");
  await made("2026-11-28T01:00:00.000Z", "s");
  await writeUntil(target, "s", { at: new Date("2026-11-28T04:00:00Z"), location: 1n });
  expect(await check()).toEqual({ hasPassed: true, text: expect.stringContaining("is of 2026-11-28T01:00") });
  const lock = await lockDataDirectory(dataDir, { isServer: true });
  onTestFinished(() => lock.release());
  expect(await check()).toMatchObject({
    isWarning: true,
    text: expect.stringContaining("ends at 2026-11-28T04"),
  });
  await writeUntil(target, "s", { at: new Date("2026-11-28T08:29:50Z"), location: 1n });
  expect(await check()).toMatchObject({ hasPassed: true });
  expect(await check()).not.toHaveProperty("isWarning");
});

test("a backup of a moment ago needs no log yet", async () => {
  await claimTarget(target, "1");
  await made("2026-11-28T08:25:00.000Z", "s");
  const lock = await lockDataDirectory(dataDir, { isServer: true });
  onTestFinished(() => lock.release());
  expect(await check()).not.toHaveProperty("isWarning");
});

test("doctor says who backs up when it is not Parley", async () => {
  const rest = { dataDir, files: undefined, backupAt: DAILY, ...none };
  expect((await checkBackups({ ...rest, databaseUrl: "postgres://x/y", backup: undefined })).hasPassed).toBe(
    true,
  );
  expect((await checkBackups({ ...rest, databaseUrl: undefined, backup: undefined })).text).toContain(
    "is not set",
  );
  expect(await checkBackups({ ...rest, databaseUrl: "postgres://x/y", backup })).toMatchObject({
    isWarning: true,
    text: expect.stringContaining("PARLEY_BACKUP is set, but backs up nothing"),
  });
});

test("doctor says why the server's last backup failed, until there is a newer one", async () => {
  mkdirSync(dataDir);
  await claimTarget(target, "1");
  const failure = { at: "2026-11-28T03:00:00.000Z", sentence: "The disk is full." };
  const record = { target: target.name, since: "2026-11-20T03:00:00.000Z", failures: 1, failure };
  await writeBackupRecord(dataDir, record);
  expect(await check()).toMatchObject({ isWarning: true, advice: "The disk is full." });
  await made("2026-11-27T03:00:00.000Z", "s");
  expect(await check()).toMatchObject({
    isWarning: true,
    text: `The newest backup in ${target.name} is of 2026-11-27T03:00:00.000Z. The last try failed.`,
    advice: "The disk is full.",
  });
  await made("2026-11-28T03:30:00.000Z", "s");
  expect(await check()).not.toHaveProperty("isWarning");
});

test("how old a backup may be follows from the times at which they are made", async () => {
  await claimTarget(target, "1");
  await made("2026-11-27T03:00:00.000Z", "s");
  expect(await check()).not.toHaveProperty("isWarning");
  expect(await check([180, 900])).toMatchObject({ isWarning: true });
});

function check(backupAt: readonly number[] = DAILY) {
  return checkBackups({ backup, backupAt, ...none, databaseUrl: undefined, dataDir, files: undefined }, NOW);
}

async function made(finishedAt: string, log?: string): Promise<void> {
  await writeManifest(target, { id: finishedAt, finishedAt, ...(log && { log }) } as Manifest);
}
