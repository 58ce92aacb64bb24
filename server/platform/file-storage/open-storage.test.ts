import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { readConfig } from "../../config.ts";
import { openFileStorage, openFilesOfCopy } from "./open-storage.ts";

const KEY = "1/uploads/ab/soup";

let root: string;
let dataDir: string;

beforeEach(() => {
  root = mkdtempSync(path.join(os.tmpdir(), "parley-files-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  dataDir = path.join(root, "data");
  mkdirSync(dataDir);
});

/** Whether a file is there after it was stored and deleted. */
async function isKept(open: typeof openFileStorage, files?: string): Promise<boolean> {
  const environment = { PARLEY_DATA_DIR: dataDir, ...(files !== undefined && { PARLEY_FILES: files }) };
  const storage = open(readConfig(environment));
  await storage.prepare();
  await storage.put(KEY, { bytes: Buffer.from("soup"), contentType: "text/plain" });
  await storage.delete(KEY);
  return (await storage.size(KEY)) !== undefined;
}

test("a start deletes what was left unfinished days ago, and nothing to which a link leads", async () => {
  const storage = openFileStorage(readConfig({ PARLEY_DATA_DIR: dataDir }));
  await storage.prepare();
  const own = await storage.temporaryPath();
  const elsewhere = path.join(root, "elsewhere");
  mkdirSync(elsewhere);
  const other = path.join(elsewhere, "other");
  for (const file of [own, other]) {
    writeFileSync(file, "rest");
    utimesSync(file, 0, 0);
  }
  await storage.prepare();
  expect([existsSync(own), existsSync(other)]).toEqual([false, true]);
  const partial = path.join(path.dirname(own), "partial");
  for (const dir of [partial, path.dirname(own)]) {
    rmSync(dir, { recursive: true, force: true });
    symlinkSync(elsewhere, dir);
    await storage.prepare();
    expect(existsSync(other)).toBe(true);
  }
});

test("a copy keeps the files that the original may have too", async () => {
  const shared = path.join(root, "shared");
  expect(await isKept(openFileStorage, shared)).toBe(false);
  expect(await isKept(openFilesOfCopy, shared)).toBe(true);
});

test("a copy deletes files of its own", async () => {
  expect(await isKept(openFilesOfCopy)).toBe(false);
  expect(await isKept(openFilesOfCopy, path.join(dataDir, "uploads"))).toBe(false);
});

test("a copy with a link to the original's files keeps them", async () => {
  const shared = path.join(root, "shared");
  mkdirSync(shared);
  symlinkSync(shared, path.join(dataDir, "files"));
  expect(await isKept(openFileStorage)).toBe(false);
  expect(await isKept(openFilesOfCopy)).toBe(true);
});
