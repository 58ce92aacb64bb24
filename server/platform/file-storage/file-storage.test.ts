/** What holds for every storage of files. */
import { randomUUID } from "node:crypto";
import { mkdtemp, readdir, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type S3Server, startS3Server } from "../../../test/harness/s3-server.ts";
import { DirectoryStorage } from "./directory-storage.ts";
import { type FileStorage, FilesElsewhere } from "./file-storage.ts";
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

type Open = () => { storage: FileStorage; temporaryDir: string };

/** Each opens a storage, and says where its unfinished files lie. The last opens another one each time. */
const storages: [string, Open, Open][] = [
  [
    "a directory",
    () => {
      const root = join(parent, "files");
      return { storage: new DirectoryStorage(root), temporaryDir: join(root, ".temporary") };
    },
    () => {
      const root = join(parent, randomUUID());
      return { storage: new DirectoryStorage(root), temporaryDir: join(root, ".temporary") };
    },
  ],
  [
    "an S3 bucket",
    () => {
      const temporaryDir = join(parent, "temporary");
      return { storage: new S3Storage(server.settings, temporaryDir), temporaryDir };
    },
    () => {
      const temporaryDir = join(parent, "temporary");
      const settings = { ...server.settings, prefix: randomUUID() };
      return { storage: new S3Storage(settings, temporaryDir), temporaryDir };
    },
  ],
];

const bytes = Buffer.from("0123456789");
const contentType = "text/plain";

describe.each(storages)("%s", (_name, open, openEmpty) => {
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

  describe("with a mark", () => {
    const elsewhere = "has no files of this installation. Is it mounted?";
    const [own, other] = [randomUUID(), randomUUID()];

    test("refuses to begin, to write, to delete and to list where the mark is missing", async () => {
      await storage.put("8/a", { bytes, contentType });
      const marked = open().storage;
      marked.expectMark({ id: own });
      expect(await marked.check()).toContain(elsewhere);
      await expect(marked.prepare()).rejects.toThrow(FilesElsewhere);
      await expect(marked.put("8/b", { bytes, contentType })).rejects.toThrow(elsewhere);
      await expect(marked.delete("8/a")).rejects.toThrow(FilesElsewhere);
      await expect(marked.list()[Symbol.asyncIterator]().next()).rejects.toThrow(FilesElsewhere);
      // What is not there may be where the mark is. What is there is a file of this installation.
      await expect(marked.open("8/b")).rejects.toThrow(FilesElsewhere);
      await expect(marked.size("8/b")).rejects.toThrow(FilesElsewhere);
      expect(await marked.size("8/a")).toBe(10);
      expect(await storage.size("8/b")).toBeUndefined();
      await marked.mark.write(own);
      expect(await marked.check()).toBeUndefined();
      await marked.prepare();
      await marked.put("8/b", { bytes, contentType });
      expect(await marked.size("8/none")).toBeUndefined();
      expect(await marked.mark.read()).toBe(own);
    });

    test("refuses what belongs to another installation, and no list has the mark", async () => {
      const marked = open().storage;
      await marked.mark.write(own);
      marked.expectMark({ id: other });
      expect(await marked.check()).toContain("has files of another installation.");
      await expect(marked.put("8/c", { bytes, contentType })).rejects.toThrow(FilesElsewhere);
      for await (const { key } of storage.list()) expect(key).not.toContain(".parley-files");
    });

    test.each([
      ["the first node writes it", true, false, undefined],
      ["a node after another one does not", false, false, elsewhere],
      ["nor does one whose rows name files that are not there", true, true, elsewhere],
    ])("%s", async (_title, mayWrite, isNamed, problem) => {
      const { storage: marked } = openEmpty();
      let isMarked: boolean | undefined;
      marked.expectMark({
        id: own,
        first: async (look) => {
          isMarked = await look(mayWrite, async () => isNamed);
        },
      });
      const found = await Promise.all([marked.check(), marked.check()]);
      for (const each of found) {
        if (problem === undefined) expect(each).toBeUndefined();
        else expect(each).toContain(problem);
      }
      expect(isMarked).toBe(problem === undefined);
      expect(await marked.mark.read()).toBe(problem === undefined ? own : undefined);
      // A place with files is that of the rows.
      if (!isNamed) return;
      const { storage: filled } = openEmpty();
      await filled.put("1/a", { bytes, contentType });
      filled.expectMark({ id: own, first: async (look) => void (await look(true, async () => true)) });
      await filled.prepare();
      expect(await filled.mark.read()).toBe(own);
    });
  });
});
