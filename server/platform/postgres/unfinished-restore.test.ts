import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { MARK_NAME } from "../file-storage/place-mark.ts";
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
  ["files", []],
  ["files and a secret", ["secret"]],
])("a directory that has %s, but no database, is no first start", async (_, others) => {
  put("files/1/notes/a.txt", ...others);
  await expect(startEmbeddedPostgres({ dataDir })).rejects.toThrow("has files of an installation, but no");
});

test("nor is one whose files nobody had put there yet", async () => {
  put(`files/${MARK_NAME}`, "secret");
  await expect(startEmbeddedPostgres({ dataDir })).rejects.toThrow("has files of an installation, but no");
  expect(readdirSync(dataDir)).not.toContain("postgres");
});

test.each([
  ["is empty", []],
  ["has logs and libraries", ["logs/parley.log", "postgres-libraries/libxml2.so"]],
  ["has a secret that was put there before", ["secret"]],
  ["has unfinished uploads", ["files/.temporary/a"]],
  ["is the one of another program", ["photos/1.jpg"]],
])("a directory that %s is a first start", (_, names) => {
  put(...names);
  expect(() => checkWhole(dataDir)).not.toThrow();
});

test("folders that deleted files have left are no files", () => {
  mkdirSync(path.join(dataDir, "files", "1", "notes"), { recursive: true });
  expect(() => checkWhole(dataDir)).not.toThrow();
});

test("a directory with a database is whole, whatever else it has", () => {
  put("files/1/notes/a.txt", "secret", "postgres/PG_VERSION");
  expect(() => checkWhole(dataDir)).not.toThrow();
});

function put(...names: string[]): void {
  for (const name of names) {
    const place = path.join(dataDir, name);
    mkdirSync(path.dirname(place), { recursive: true });
    writeFileSync(place, "");
  }
}
