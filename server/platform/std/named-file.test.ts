import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { NamedFile } from "./named-file.ts";

let dir: string;
let log: string;
let now: number;
let file: NamedFile;

beforeEach(() => {
  dir = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), "parley-named-"));
  onTestFinished(() => fs.rmSync(dir, { recursive: true, force: true }));
  log = path.join(dir, "log", "parley.log");
  fs.mkdirSync(path.dirname(log));
  now = 0;
  const descriptor = fs.openSync(log, "a", 0o640);
  file = NamedFile.of(descriptor, () => now) as NamedFile;
});

/** One line a second. */
function write(line: string): void {
  now += 1000;
  fs.writeSync(file.descriptor(), `${line}\n`);
}
const read = (name: string) => fs.readFileSync(name, "utf8");

test("a file that is moved away is begun again under its name, with the same mode", () => {
  write("one");
  fs.renameSync(log, `${log}.1`);
  write("two");
  write("three");
  expect([read(`${log}.1`), read(log)]).toEqual(["one\n", "two\nthree\n"]);
  expect(fs.statSync(log).mode & 0o777).toBe(0o640);
});

test("so is one that is removed, as soon as its folder is there again", () => {
  write("one");
  fs.rmSync(path.dirname(log), { recursive: true });
  write("lost");
  fs.mkdirSync(path.dirname(log));
  write("two");
  expect(read(log)).toBe("two\n");
});

test("one that another made in its place is taken, and its lines stay", () => {
  fs.renameSync(log, `${log}.1`);
  fs.writeFileSync(log, "of logrotate\n");
  write("two");
  expect(read(log)).toBe("of logrotate\ntwo\n");
});

test("a link in its place is not followed", () => {
  const other = path.join(dir, "other");
  fs.writeFileSync(other, "");
  fs.renameSync(log, `${log}.1`);
  fs.symlinkSync(other, log);
  write("two");
  expect([read(other), read(`${log}.1`)]).toEqual(["", "two\n"]);
});

test("it is looked at once a second, and what is no file is left alone", () => {
  write("one");
  fs.renameSync(log, `${log}.1`);
  fs.writeSync(file.descriptor(), "soon after\n");
  expect(read(`${log}.1`)).toBe("one\nsoon after\n");
  expect(NamedFile.of(fs.openSync("/dev/null", "w"))).toBeUndefined();
});
