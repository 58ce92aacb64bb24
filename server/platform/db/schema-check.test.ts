import { appendFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { isSchemaCurrent, writeSchema } from "./schema-check.ts";

test("the written schema is up to date until it is changed by hand", async () => {
  const dir = mkdtempSync(path.join(os.tmpdir(), "parley-schema-"));
  const file = path.join(dir, "schema.sql");
  try {
    expect(await isSchemaCurrent(file)).toBe(false);
    await writeSchema(file);
    expect(readFileSync(file, "utf8")).toContain("create table migrations (");
    expect(await isSchemaCurrent(file)).toBe(true);
    appendFileSync(file, "-- by hand\n");
    expect(await isSchemaCurrent(file)).toBe(false);
  } finally {
    rmSync(dir, { recursive: true });
  }
});
