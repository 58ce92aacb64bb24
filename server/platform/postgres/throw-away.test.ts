import { existsSync } from "node:fs";
import os from "node:os";
import { expect, test } from "vitest";
import { startThrowAwayPostgres, throwAwayParent } from "./throw-away.ts";

const GiB = 1024 ** 3;

test("files of a throw-away server lie in memory only where there is plenty of it", () => {
  expect(throwAwayParent(16 * GiB, {})).toBe("/dev/shm");
  expect(throwAwayParent(GiB, {})).toBe(os.tmpdir());
  // There is no such place on other systems.
  expect(throwAwayParent(0, {})).toBe(os.tmpdir());
});

test("files of a throw-away server lie where TMPDIR says, however much memory there is", () => {
  expect(throwAwayParent(16 * GiB, { TMPDIR: os.tmpdir() })).toBe(os.tmpdir());
});

test("a throw-away server leaves no files", async () => {
  const postgres = await startThrowAwayPostgres();
  const { dataDir } = postgres;
  expect(existsSync(dataDir)).toBe(true);
  await postgres.stop();
  expect(existsSync(dataDir)).toBe(false);
});
