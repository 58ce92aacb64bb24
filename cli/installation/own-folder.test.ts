import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { readConfig } from "../../server/config.ts";
import { findOwnFolder, unchosenFolder } from "./own-folder.ts";

function folder(): string {
  const dir = realpathSync(mkdtempSync(path.join(tmpdir(), "parley-folder-")));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

/** With the default data directory, as somebody has it who starts in this folder. */
const startIn = (dir: string, environment: NodeJS.ProcessEnv = {}, own = "/opt/parley") =>
  unchosenFolder({ ...readConfig(environment), dataDir: path.join(dir, "data") }, environment, own);

test("a start in a folder of somebody's says what to set", () => {
  const dir = folder();
  expect(startIn(dir)).toBe(
    `There is no data in ${dir}/data. Set PARLEY_DATA_DIR to the server's data directory, or to a new one for a new installation. Without it the program is to be started in its own folder, /opt/parley.`,
  );
  expect(startIn(dir, { PARLEY_DATA_DIR: " " })).toBeDefined();
});

test("a start in the program's own folder begins an installation, by a link to it too", () => {
  const dir = folder();
  expect(startIn(dir, {}, dir)).toBeUndefined();
  const link = path.join(folder(), "current");
  symlinkSync(dir, link);
  expect(startIn(link, {}, dir)).toBeUndefined();
});

test("the program's own folder is found where the code is bundled, so that its module's folder is not there", () => {
  const dir = folder();
  const module = pathToFileURL(path.join(dir, "dist", "cli", "own-folder.js")).href;
  expect(findOwnFolder(module)).toBeUndefined();
  mkdirSync(path.join(dir, "bin"));
  writeFileSync(path.join(dir, "bin", "parley.js"), "");
  expect(findOwnFolder(module)).toBe(dir);
});

test("a start where data lie, or with a directory that is named, goes on", () => {
  const dir = folder();
  expect(startIn(dir, { PARLEY_DATA_DIR: "elsewhere" })).toBeUndefined();
  mkdirSync(path.join(dir, "data"));
  expect(startIn(dir)).toBeUndefined();
});

test("nothing has to be named if nothing lies there", () => {
  const dir = folder();
  const outside = { DATABASE_URL: "postgres://parley@db.example.com/parley" };
  expect(startIn(dir, { ...outside, PARLEY_FILES: "/mnt/files" })).toBeUndefined();
  expect(startIn(dir, outside)).toBeDefined();
});
