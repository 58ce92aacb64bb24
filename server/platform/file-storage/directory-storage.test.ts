import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { ConfigError } from "../../setting-values.ts";
import { DirectoryStorage } from "./directory-storage.ts";
import { StorageAway } from "./file-storage.ts";
import { PlaceMark } from "./place-mark.ts";

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
  await expect(storage.put("3/a/below", { bytes, contentType })).rejects.toThrow("EEXIST");
  expect(await readdir(join(root, ".temporary"))).toEqual([]);
  expect(await storage.size("3/a")).toBe(10);
});

test("files that arrive in several requests outlive a restart, and are deleted after two days", async () => {
  const [old, young] = ["o".repeat(32), "y".repeat(32)];
  for (const name of [old, young]) await writeFile(await storage.partialPath(name), "a part");
  const days = (count: number) => new Date(Date.now() - count * 24 * 3600 * 1000);
  await utimes(await storage.partialPath(old), days(3), days(3));
  await utimes(await storage.partialPath(young), days(1.5), days(1.5));
  await new DirectoryStorage(root).prepare();
  expect(await readdir(join(root, ".temporary", "partial"))).toEqual([young]);
  for (const name of ["../a", "a/b".repeat(8), ".".repeat(20), `${"a".repeat(20)}\0`, ""])
    await expect(storage.partialPath(name), name).rejects.toThrow("wrong form");
});

test("a directory that can't be used is refused with a sentence for people", async () => {
  await writeFile(join(parent, "file"), "");
  const check = new DirectoryStorage(join(parent, "file")).prepare();
  await expect(check).rejects.toThrow(ConfigError);
  await expect(check).rejects.toThrow("PARLEY_FILES");
});

test("a directory that goes away after its mark was read is not made again in its place", async () => {
  const id = randomUUID();
  await storage.mark.write(id);
  storage.mark.expect({ id });
  const { problem } = PlaceMark.prototype;
  const look = vi.spyOn(storage.mark, "problem");
  const away = `${root}-away`;
  const tries: [attempt: () => Promise<unknown>, error: new (...words: never[]) => Error][] = [
    [() => storage.put("2/a", { bytes, contentType }), StorageAway],
    [() => storage.temporaryPath(), StorageAway],
    [() => storage.partialPath("p".repeat(32)), StorageAway],
    [() => storage.prepare(), ConfigError],
  ];
  for (const [attempt, error] of tries) {
    look.mockImplementation(async () => {
      const found = await problem.call(storage.mark);
      await rename(root, away).catch(() => {});
      return found;
    });
    await expect(attempt()).rejects.toThrow(error);
    expect(existsSync(root)).toBe(false);
    await rename(away, root);
  }
  look.mockRestore();
  await storage.put("2/a", { bytes, contentType });
  expect(await storage.size("2/a")).toBe(bytes.length);
});

test("a directory that goes away while files are written is one that may come back", async () => {
  await writeFile(join(parent, "mount"), "");
  const away = new DirectoryStorage(join(parent, "mount", "files"));
  const tries = [
    () => away.put("2/a", { bytes, contentType }),
    () => away.temporaryPath(),
    () => away.partialPath("p".repeat(32)),
    () => away.delete("2/a"),
  ];
  for (const attempt of tries) {
    const tried = attempt();
    await expect(tried).rejects.toThrow(StorageAway);
    await expect(tried).rejects.toThrow("can't be used (ENOTDIR). Is its disk there");
  }
});
