import { cpSync, existsSync, mkdtempSync, readFileSync, realpathSync, renameSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { isCopy } from "./copy-mark.ts";
import { keepPlace, noticeCopy } from "./place-mark.ts";

let root: string;
let original: string;

beforeEach(() => {
  root = mkdtempSync(path.join(realpathSync(os.tmpdir()), "parley-place-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  original = path.join(root, "data");
  renameSync(mkdtempSync(path.join(root, "new-")), original);
  keepPlace(original);
});

test("a directory that stays where it is, or is renamed, is no copy", () => {
  expect(noticeCopy(original)).toBe(undefined);
  keepPlace(original);
  const renamed = path.join(root, "renamed");
  renameSync(original, renamed);
  expect(noticeCopy(renamed)).toBe(undefined);
  keepPlace(renamed);
  expect(JSON.parse(readFileSync(path.join(renamed, "place"), "utf8")).directory).toBe(renamed);
  expect([isCopy(renamed), existsSync(path.join(renamed, "copy"))]).toEqual([false, false]);
});

test("one that was copied knows it, until somebody says that it takes the original's place", () => {
  const copy = path.join(root, "copy-of-data");
  cpSync(original, copy, { recursive: true });
  expect(noticeCopy(copy)).toBe(
    `${copy} is a copy of ${original}. It sends no mail, calls no webhooks and delivers no scheduled messages. If the original is gone for good, delete ${copy}/copy and restart.`,
  );
  expect(isCopy(copy)).toBe(true);
  keepPlace(copy);
  expect(noticeCopy(copy)).toBe(undefined);
  expect(isCopy(copy)).toBe(true);
  rmSync(path.join(copy, "copy"));
  expect(noticeCopy(copy)).toBe(undefined);
  expect([isCopy(copy), isCopy(original)]).toEqual([false, false]);
});

test("a start that ended before it was noted is noticed at the next one", () => {
  const copy = path.join(root, "copy-of-data");
  cpSync(original, copy, { recursive: true });
  noticeCopy(copy);
  rmSync(path.join(copy, "copy"));
  expect(noticeCopy(copy)).toContain("is a copy of");
});

test("one that was put back to where it was, from a backup of files, is no copy", () => {
  const aside = path.join(root, "aside");
  cpSync(original, aside, { recursive: true });
  rmSync(original, { recursive: true });
  cpSync(aside, original, { recursive: true });
  expect(noticeCopy(original)).toBe(undefined);
});
