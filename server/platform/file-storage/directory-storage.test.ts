import { mkdtemp, readdir, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ConfigError } from "../../config.ts";
import { DirectoryStorage } from "./directory-storage.ts";

let parent: string;
let root: string;
let storage: DirectoryStorage;
beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), "parley-storage-"));
  root = join(parent, "files");
  storage = new DirectoryStorage(root);
});
afterAll(() => rm(parent, { recursive: true, force: true }));

const bytes = Buffer.from("0123456789");
const contentType = "text/plain";

async function read(key: string, range?: { first: number; last: number }): Promise<string | undefined> {
  const opened = await storage.open(key, range);
  return opened && (await buffer(opened.stream)).toString();
}

test("bytes and local files are stored under their key, and read whole or in part", async () => {
  await storage.put("1/notes/a.txt", { bytes, contentType });
  const path = await storage.temporaryPath();
  await writeFile(path, "from a file");
  await storage.put("1/notes/b.txt", { path, contentType });

  expect(await read("1/notes/a.txt")).toBe("0123456789");
  expect(await read("1/notes/a.txt", { first: 2, last: 4 })).toBe("234");
  const opened = await storage.open("1/notes/a.txt", { first: 9, last: 9 });
  expect(opened?.size).toBe(10);
  opened?.stream.destroy();
  expect(await read("1/notes/b.txt")).toBe("from a file");
  expect(await storage.size("1/notes/a.txt")).toBe(10);
  await expect(stat(path)).rejects.toThrow("ENOENT");
});

test("a missing file is neither opened nor measured, and deleting it is no error", async () => {
  expect(await storage.open("1/notes/none.txt")).toBeUndefined();
  expect(await storage.size("1/notes/a.txt/below")).toBeUndefined();
  await storage.put("1/notes/short-lived", { bytes, contentType });
  await storage.delete("1/notes/short-lived");
  await storage.delete("1/notes/short-lived");
  expect(await storage.size("1/notes/short-lived")).toBeUndefined();
});

test("no key leads out of the directory or to what is being written", async () => {
  await writeFile(join(parent, "secret"), "secret");
  for (const key of [
    "../secret",
    "1/../../secret",
    "/etc/passwd",
    "1",
    ".temporary/a",
    "1/.a",
    "1//a",
    "1/a\0",
  ]) {
    await expect(storage.open(key), key).rejects.toThrow("wrong form");
    await expect(storage.put(key, { bytes, contentType }), key).rejects.toThrow("wrong form");
  }
});

test("nobody else on the machine can read files or list directories", async () => {
  await storage.put("2/private/a", { bytes, contentType });
  for (const [path, mode] of [
    ["2", 0o700],
    ["2/private", 0o700],
    ["2/private/a", 0o600],
  ] as const) {
    expect((await stat(join(root, path))).mode & 0o777, path).toBe(mode);
  }
});

test("a file that can't be stored leaves nothing behind", async () => {
  await storage.put("3/a", { bytes, contentType });
  await expect(storage.put("3/a/below", { bytes, contentType })).rejects.toThrow();
  expect(await readdir(join(root, ".temporary"))).toEqual([]);
  expect(await read("3/a")).toBe("0123456789");
});

test("files that a crash left unfinished are deleted after a day, younger ones stay", async () => {
  const [old, young] = [await storage.temporaryPath(), await storage.temporaryPath()];
  for (const path of [old, young]) await writeFile(path, "unfinished");
  const twoDaysAgo = new Date(Date.now() - 48 * 3600 * 1000);
  await utimes(old, twoDaysAgo, twoDaysAgo);
  await storage.prepare();
  expect(await readdir(join(root, ".temporary"))).toEqual([young.split("/").at(-1)]);
});

test("a directory that can't be used is refused with a sentence for people", async () => {
  await writeFile(join(parent, "file"), "");
  const check = new DirectoryStorage(join(parent, "file")).prepare();
  await expect(check).rejects.toThrow(ConfigError);
  await expect(check).rejects.toThrow("PARLEY_FILES");
});
