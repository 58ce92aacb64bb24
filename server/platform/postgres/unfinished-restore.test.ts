import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { startEmbeddedPostgres } from "./launcher.ts";
import { makeTemporaryDirectory } from "./throw-away.ts";
import { checkWhole, markRestore, unmarkRestore } from "./unfinished-restore.ts";

let dataDir: string;
beforeEach(() => {
  dataDir = makeTemporaryDirectory("parley-restore-");
  const made = dataDir;
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
});

test("nothing starts on a directory whose restore has not ended", async () => {
  markRestore(dataDir, "20261128T083000Z");
  mkdirSync(path.join(dataDir, "postgres"));
  await expect(startEmbeddedPostgres({ dataDir })).rejects.toThrow(/was interrupted\. .* restore again/);
  unmarkRestore(dataDir);
  expect(() => checkWhole(dataDir)).not.toThrow();
});

test.each([
  ["secret", () => writeFileSync(path.join(dataDir, "secret"), "abc")],
  ["files", () => mkdirSync(path.join(dataDir, "files", "1"), { recursive: true })],
])("a directory that has %s, but no database, is no first start", async (name, make) => {
  make();
  await expect(startEmbeddedPostgres({ dataDir })).rejects.toThrow(`has ${name}, but no database`);
});

test("a directory that is empty, or has unfinished files alone, is a first start", () => {
  expect(() => checkWhole(dataDir)).not.toThrow();
  mkdirSync(path.join(dataDir, "files", ".temporary"), { recursive: true });
  expect(() => checkWhole(dataDir)).not.toThrow();
});
