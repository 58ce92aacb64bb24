import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { DirectoryTarget } from "../server/platform/backup/directory-target.ts";
import { writeUntil } from "../server/platform/backup/log-chunks.ts";
import { claimTarget, type Manifest, writeManifest } from "../server/platform/backup/manifest.ts";
import { lockDataDirectory } from "../server/platform/postgres/lock.ts";
import { checkBackups } from "./backup-check.ts";

const NOW = new Date("2026-11-28T08:30:00Z");
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
  const lock = await lockDataDirectory(dataDir);
  onTestFinished(() => lock.release());
  expect(await check()).toMatchObject({
    isWarning: true,
    text: expect.stringContaining("ends at 2026-11-28T04"),
  });
  await writeUntil(target, "s", { at: new Date("2026-11-28T08:29:50Z"), location: 1n });
  expect(await check()).toMatchObject({ hasPassed: true });
  expect(await check()).not.toHaveProperty("isWarning");
});

test("doctor says who backs up when it is not Parley", async () => {
  const rest = { dataDir, files: undefined };
  expect((await checkBackups({ ...rest, databaseUrl: "postgres://x/y", backup: undefined })).hasPassed).toBe(
    true,
  );
  expect((await checkBackups({ ...rest, databaseUrl: undefined, backup: undefined })).text).toContain(
    "is not set",
  );
});

function check() {
  return checkBackups({ backup, databaseUrl: undefined, dataDir, files: undefined }, NOW);
}

async function made(finishedAt: string, log?: string): Promise<void> {
  await writeManifest(target, { id: finishedAt, finishedAt, ...(log && { log }) } as Manifest);
}
