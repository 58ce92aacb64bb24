/** What holds for every storage of files. */
import { mkdtemp, readdir, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type S3Server, startS3Server } from "../../../test/harness/s3-server.ts";
import { DirectoryStorage } from "./directory-storage.ts";
import type { FileStorage } from "./file-storage.ts";
import { S3Storage } from "./s3-storage.ts";

let parent: string;
let server: S3Server;
beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), "parley-storage-"));
  server = await startS3Server();
});
afterAll(async () => {
  await server.close();
  await rm(parent, { recursive: true, force: true });
});

/** Each opens a storage, and says where its unfinished files lie. */
const storages: [string, () => { storage: FileStorage; temporaryDir: string }][] = [
  [
    "a directory",
    () => {
      const root = join(parent, "files");
      return { storage: new DirectoryStorage(root), temporaryDir: join(root, ".temporary") };
    },
  ],
  [
    "an S3 bucket",
    () => {
      const temporaryDir = join(parent, "temporary");
      return { storage: new S3Storage(server.settings, temporaryDir), temporaryDir };
    },
  ],
];

const bytes = Buffer.from("0123456789");
const contentType = "text/plain";

describe.each(storages)("%s", (_name, open) => {
  let storage: FileStorage;
  let temporaryDir: string;
  beforeAll(() => {
    ({ storage, temporaryDir } = open());
  });

  async function read(key: string, range?: { first: number; last: number }): Promise<string | undefined> {
    const opened = await storage.open(key, range);
    return opened && (await buffer(opened.stream)).toString();
  }

  test("is ready before its first file, and a second time", async () => {
    await storage.prepare();
    await storage.prepare();
    expect(await readdir(temporaryDir)).toEqual([]);
  });

  test("stores bytes and local files under their key, and reads them whole or in part", async () => {
    await storage.put("1/notes/a.txt", { bytes, contentType });
    const path = await storage.temporaryPath();
    await writeFile(path, "from a file");
    await storage.put("1/notes/b.txt", { path, contentType });

    expect(await read("1/notes/a.txt")).toBe("0123456789");
    expect(await read("1/notes/a.txt", { first: 0, last: 1 })).toBe("01");
    expect(await read("1/notes/a.txt", { first: 2, last: 4 })).toBe("234");
    const opened = await storage.open("1/notes/a.txt", { first: 9, last: 9 });
    expect(opened?.size).toBe(10);
    opened?.stream.destroy();
    expect((await storage.open("1/notes/a.txt"))?.stream.destroy()).toBeDefined();
    expect(await read("1/notes/b.txt")).toBe("from a file");
    expect(await storage.size("1/notes/a.txt")).toBe(10);
    await expect(stat(path)).rejects.toThrow("ENOENT");
  });

  test("stores files without bytes, and files of many parts", async () => {
    await storage.put("1/empty", { bytes: Buffer.alloc(0), contentType });
    expect([await storage.size("1/empty"), await read("1/empty")]).toEqual([0, ""]);
    const path = await storage.temporaryPath();
    await writeFile(path, "");
    await storage.put("1/empty-file", { path, contentType });
    expect([await storage.size("1/empty-file"), await read("1/empty-file")]).toEqual([0, ""]);

    const large = Buffer.alloc(12 * 2 ** 20, "0123456789abcdef-");
    await writeFile(path, large);
    await storage.put("1/large", { path, contentType });
    const opened = await storage.open("1/large");
    expect(opened?.size).toBe(large.length);
    expect((await buffer((opened as { stream: NodeJS.ReadableStream }).stream)).equals(large)).toBe(true);
    const [first, last] = [6 * 2 ** 20, 6 * 2 ** 20 + 99];
    expect(await read("1/large", { first, last })).toBe(large.toString("latin1", first, last + 1));
  });

  test("lists its files with their sizes, and nothing that is unfinished", async () => {
    const listed = async () => {
      const found = [];
      for await (const file of storage.list()) if (file.key.startsWith("7/")) found.push(file);
      return found.sort((a, b) => a.key.localeCompare(b.key));
    };
    expect(await listed()).toEqual([]);
    await storage.put("7/notes/a.txt", { bytes, contentType });
    await storage.put("7/empty", { bytes: Buffer.alloc(0), contentType });
    const unfinished = await storage.temporaryPath();
    await writeFile(unfinished, "unfinished");
    expect(await listed()).toEqual([
      { key: "7/empty", size: 0 },
      { key: "7/notes/a.txt", size: 10 },
    ]);
    await rm(unfinished);
  });

  test("neither opens nor measures a missing file, and deleting it is no error", async () => {
    expect(await storage.open("1/notes/none.txt")).toBeUndefined();
    expect(await storage.open("1/notes/none.txt", { first: 0, last: 1 })).toBeUndefined();
    expect(await storage.size("1/notes/a.txt/below")).toBeUndefined();
    await storage.put("1/notes/short-lived", { bytes, contentType });
    await storage.delete("1/notes/short-lived");
    await storage.delete("1/notes/short-lived");
    expect(await storage.size("1/notes/short-lived")).toBeUndefined();
  });

  test("has no key that leads to other files or to what is being written", async () => {
    await writeFile(join(parent, "secret"), "secret");
    for (const key of [
      "../secret",
      "1/../../secret",
      "/etc/passwd",
      "1",
      ".temporary/a",
      ".probe/a",
      "1/.a",
      "1//a",
      "1/a\0",
    ]) {
      await expect(storage.open(key), key).rejects.toThrow("wrong form");
      await expect(storage.size(key), key).rejects.toThrow("wrong form");
      await expect(storage.delete(key), key).rejects.toThrow("wrong form");
      await expect(storage.put(key, { bytes, contentType }), key).rejects.toThrow("wrong form");
    }
  });

  test("deletes files that a crash left unfinished after a day, and leaves younger ones", async () => {
    const [old, young] = [await storage.temporaryPath(), await storage.temporaryPath()];
    for (const path of [old, young]) await writeFile(path, "unfinished");
    const twoDaysAgo = new Date(Date.now() - 48 * 3600 * 1000);
    await utimes(old, twoDaysAgo, twoDaysAgo);
    await storage.prepare();
    expect(await readdir(temporaryDir)).toEqual([young.split("/").at(-1)]);
    await rm(young);
  });
});
