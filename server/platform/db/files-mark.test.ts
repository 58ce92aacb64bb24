import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../../test/harness/postgres.ts";
import { DirectoryStorage } from "../file-storage/directory-storage.ts";
import { Database } from "./database.ts";
import { keepFilesMark } from "./files-mark.ts";
import { sql } from "./sql.ts";
import { findFilesMark } from "./stored-files-mark.ts";

let parent: string;
let template: TestDatabase;
let database: Database;
beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), "parley-mark-"));
  template = await createTestDatabase();
  database = await Database.open(template.connection);
});
afterAll(async () => {
  await database.close();
  await template.drop();
  await rm(parent, { recursive: true, force: true });
});

const namesNone = async () => false;

async function nodeOn(name: string): Promise<DirectoryStorage> {
  const storage = new DirectoryStorage(join(parent, name));
  storage.expectMark(await keepFilesMark(database, namesNone));
  return storage;
}

test("nodes that start at once mark the place that they share, and it has one id", async () => {
  const nodes = await Promise.all([nodeOn("shared"), nodeOn("shared"), nodeOn("shared")]);
  expect((await findFilesMark(database))?.isWritten).toBe(false);
  await Promise.all(nodes.map((node) => node.prepare()));
  const mark = await findFilesMark(database);
  expect(mark?.isWritten).toBe(true);
  for (const node of nodes) expect(await node.mark.read()).toBe(mark?.id);
  await (await nodeOn("shared")).prepare();
});

test("of nodes that start at once with a place each, one gets its mark and the others are refused", async () => {
  await database.query(sql`delete from files_mark`);
  const nodes = await Promise.all([nodeOn("a"), nodeOn("b"), nodeOn("c")]);
  const outcomes = await Promise.allSettled(nodes.map((node) => node.prepare()));
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  const marks = await Promise.all(nodes.map((node) => node.mark.read()));
  expect(marks.filter((id) => id !== undefined)).toEqual([(await findFilesMark(database))?.id]);
});

test("a place that can't be written gets no mark, and the database does not say that it has", async () => {
  await database.query(sql`delete from files_mark`);
  await writeFile(join(parent, "file"), "");
  const storage = new DirectoryStorage(join(parent, "file", "below"));
  storage.expectMark(await keepFilesMark(database, namesNone));
  await expect(storage.prepare()).rejects.toThrow("can't be written");
  expect((await findFilesMark(database))?.isWritten).toBe(false);
});
