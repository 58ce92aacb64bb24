import { appendFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../../test/harness/postgres.ts";
import { isSchemaCurrent, writeSchema } from "./schema-check.ts";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test("the written schema is up to date until it is changed by hand", async () => {
  const dir = mkdtempSync(path.join(os.tmpdir(), "parley-schema-"));
  const written = { file: path.join(dir, "schema.sql"), migrated: database.connection };
  try {
    expect(await isSchemaCurrent(written)).toBe(false);
    await writeSchema(written);
    expect(readFileSync(written.file, "utf8")).toContain("create table migrations (");
    expect(await isSchemaCurrent(written)).toBe(true);
    appendFileSync(written.file, "-- by hand\n");
    expect(await isSchemaCurrent(written)).toBe(false);
  } finally {
    rmSync(dir, { recursive: true });
  }
});

test("the schema among the sources is what the migrations make", async () => {
  expect(await isSchemaCurrent({ migrated: database.connection })).toBe(true);
});
