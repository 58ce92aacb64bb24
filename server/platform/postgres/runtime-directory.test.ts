import { lstatSync, mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import {
  hasSocket,
  makeRuntimeDirectory,
  openSocketDirectory,
  placesFor,
  removeRuntimeDirectory,
} from "./runtime-directory.ts";

function directory(): string {
  const dir = mkdtempSync(path.join(os.tmpdir(), "parley-runtime-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

test("the socket lies in the data directory, where nobody cleans up", () => {
  const dir = directory();
  const runtime = makeRuntimeDirectory(dir);
  expect(runtime.path).toBe(path.join(dir, "run"));
  removeRuntimeDirectory(runtime);
  expect(() => lstatSync(runtime.path)).toThrow("ENOENT");
});

test("a unit's own directory comes first, and installations have names of their own there", () => {
  const [one = ""] = placesFor("/srv/one", { RUNTIME_DIRECTORY: "/run/parley:/run/other" });
  const [two = ""] = placesFor("/srv/two", { RUNTIME_DIRECTORY: "/run/parley:/run/other" });
  expect([path.dirname(one), path.dirname(two)]).toEqual(["/run/parley", "/run/parley"]);
  expect(one).not.toBe(two);
});

test("no socket has a longer path than the system allows", () => {
  for (let length = 1; length < 120; length++) {
    for (const place of placesFor(`/${"d".repeat(length)}`, {})) {
      expect(Buffer.byteLength(`${place}-XXXXXX/pg/.s.PGSQL.5432`)).toBeLessThanOrEqual(103);
    }
  }
});

test("a directory that was removed is made again", () => {
  const runtime = makeRuntimeDirectory(directory());
  rmSync(runtime.path, { recursive: true });
  expect(hasSocket(runtime)).toBe(false);
  openSocketDirectory(runtime);
  expect(lstatSync(runtime.socketDir).mode & 0o777).toBe(0o700);
});
