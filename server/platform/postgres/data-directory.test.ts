import { chmodSync, mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ensureDataDirectory } from "./data-directory.ts";
import { makeTemporaryDirectory } from "./throw-away.ts";

const closed = process.getuid?.() === 0 ? 0o711 : 0o700;
let parent: string;
beforeAll(() => {
  parent = makeTemporaryDirectory("parley-directories-");
});
afterAll(() => rmSync(parent, { recursive: true, force: true }));

const modeOf = (dir: string) => statSync(dir).mode & 0o7777;

function existing(name: string, mode: number, ...files: string[]): string {
  const dir = path.join(parent, name);
  mkdirSync(dir);
  for (const file of files) writeFileSync(path.join(dir, file), "");
  chmodSync(dir, mode);
  return dir;
}

test("a new data directory can't be listed by other users", () => {
  const dir = path.join(parent, "new", "data");
  ensureDataDirectory(dir);
  expect(modeOf(dir)).toBe(closed);
});

test("an existing data directory loses what it gave to other users", () => {
  for (const dir of [
    existing("empty", 0o777),
    existing("used", 0o755, "secret"),
    existing("old", 0o775, "postgres"),
  ]) {
    ensureDataDirectory(dir);
    expect(modeOf(dir)).toBe(closed);
  }
});

test("a data directory that is closed more than needed stays as it is", () => {
  const dir = existing("closed", 0o700, "secret");
  ensureDataDirectory(dir);
  expect(modeOf(dir)).toBe(0o700);
});

test("a directory with other files keeps its mode, and is refused if others can write it", () => {
  const readable = existing("readable", 0o755, "somebody's file");
  ensureDataDirectory(readable);
  expect(modeOf(readable)).toBe(0o755);
  for (const dir of [existing("writable", 0o775, "somebody's file"), existing("shared", 0o1777)]) {
    const mode = modeOf(dir);
    expect(() => ensureDataDirectory(dir)).toThrow(
      `The data directory ${dir} can be written by other users.`,
    );
    expect(modeOf(dir)).toBe(mode);
  }
});
