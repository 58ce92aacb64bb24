import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, test } from "vitest";
import { type ArchiveOnDisk, writeArchive } from "../../../test/harness/zulip-export.ts";
import { archiveLimits } from "./bounds.ts";
import { readJsonLines } from "./json-lines.ts";
import { readJsonRows } from "./json-rows.ts";
import { kindOf } from "./kind.ts";
import { unpack } from "./unpack.ts";

const made: ArchiveOnDisk[] = [];
const folders: string[] = [];
afterEach(async () => {
  for (const archive of made.splice(0)) await archive.remove();
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
});

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "parley-archive-"));
  folders.push(folder);
  return folder;
}

async function archiveOf(files: Record<string, string>, type?: string): Promise<string> {
  const entries = Object.entries(files).map(([name, content]) => ({ name, content, ...(type && { type }) }));
  const archive = await writeArchive(entries);
  made.push(archive);
  return archive.path;
}

async function problemOf(path: string, limits = archiveLimits): Promise<string> {
  const outcome = await unpack(path, await newFolder(), { limits }).catch((error: Error) => error);
  return outcome instanceof Error ? `${outcome.name}: ${outcome.message}` : "none";
}

describe("an archive", () => {
  test("is read with or without a folder around its files, and without what desktops add", async () => {
    const files = { "realm.json": "{}", "stats.json": "{}", "uploads/1/a": "bytes" };
    const inFolder = Object.fromEntries(
      Object.entries(files).map(([name, text]) => [`export/${name}`, text]),
    );
    for (const each of [
      files,
      inFolder,
      { ...inFolder, "__MACOSX/._realm.json": "", "export/.DS_Store": "" },
    ]) {
      const archive = await unpack(await archiveOf(each), await newFolder());
      expect([...archive.files.keys()]).toEqual(Object.keys(files));
      expect(kindOf(archive)).toBe("zulip");
    }
  });

  test("of another chat is told by its files", async () => {
    const kinds = [
      [{ "a/format.json": "{}", "a/organization/000001.jsonl": "" }, "parley"],
      [{ "channels.json": "[]", "users.json": "[]" }, "slack"],
      [{ "import.jsonl": "" }, "mattermost"],
      [{ "mattermost_export.jsonl": "", "data/a/b.jsonl": "" }, "mattermost"],
      [{ "letters.txt": "" }, undefined],
    ] as const;
    for (const [files, kind] of kinds) {
      expect(kindOf(await unpack(await archiveOf(files), await newFolder()))).toBe(kind);
    }
  });

  test("with names that lead out of its folder, links or devices is refused, and no file is made of them", async () => {
    for (const name of ["../evil", "a/../../evil", "/etc/evil", "a\\..\\evil", "C:evil"]) {
      expect(await problemOf(await archiveOf({ [name]: "x" }))).toContain("leads out of its folder");
    }
    expect(await problemOf(await archiveOf({ link: "" }, "symlink"))).toContain("a link or a device");
    const folder = await newFolder();
    await unpack(await archiveOf({ "a/b/c.txt": "x" }), folder);
    expect(await readdir(folder)).toEqual(["1"]);
  });

  test("that unpacks to far more than its size, or has too many files, is refused", async () => {
    const limits = { entries: 2, bytes: 1000, ratio: 5 };
    expect(await problemOf(await archiveOf({ a: "0".repeat(100_000) }), limits)).toContain("far more than");
    expect(await problemOf(await archiveOf({ a: "", b: "", c: "" }), limits)).toContain("more than 2 files");
    expect(await problemOf(await archiveOf({ a: "0".repeat(900), b: "" }), limits)).toBe("none");
  });

  test("that is cut off, empty, missing or none is refused with a sentence", async () => {
    const folder = await newFolder();
    const bytes = await readFile(
      await archiveOf({ "realm.json": "x".repeat(5000), b: Math.random().toString() }),
    );
    const write = async (name: string, content: Buffer | string) => {
      await writeFile(join(folder, name), content);
      return join(folder, name);
    };
    expect(await problemOf(await write("torn", bytes.subarray(0, bytes.length - 30)))).toContain("cut off");
    expect(await problemOf(await write("noise", gzipSync("this is no tar file".repeat(100))))).toContain(
      "damaged",
    );
    expect(await problemOf(await write("empty", ""))).toContain("The file is empty");
    expect(await problemOf(await write("text", "hello"))).toContain("no archive that can be imported");
    expect(await problemOf(await write("zip", "PK\u0003\u0004"))).toContain("damaged or was cut off");
    expect(await problemOf(join(folder, "nowhere"))).toContain("There is no file");
    expect(await problemOf(folder)).toContain("is a folder");
  });
});

describe("an export that lies unpacked", () => {
  const unpackedName = "import.jsonl";
  async function folderOf(files: Record<string, string>): Promise<string> {
    const folder = await newFolder();
    for (const [name, content] of Object.entries(files)) {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), content);
    }
    return folder;
  }

  test("is a folder, whose digest follows its names and contents", async () => {
    const files = { "import.jsonl": '{"a":1}\n', "data/emoji/a.gif": "bytes", "data/.DS_Store": "" };
    const read = async (given: Record<string, string>) =>
      unpack(await folderOf(given), await newFolder(), { unpackedName });
    const archive = await read(files);
    expect([...archive.files.keys()]).toEqual(["data/emoji/a.gif", "import.jsonl"]);
    expect(await readFile(archive.files.get("data/emoji/a.gif")?.path ?? "", "utf8")).toBe("bytes");
    expect((await read({ "data/emoji/a.gif": "bytes", "import.jsonl": '{"a":1}\n' })).digest).toBe(
      archive.digest,
    );
    expect((await read({ ...files, "data/emoji/a.gif": "other" })).digest).not.toBe(archive.digest);
  });

  test("with a link, or with too many files, is refused", async () => {
    const folder = await folderOf({ "import.jsonl": "{}", "data/a": "", "data/b": "" });
    const limits = { ...archiveLimits, entries: 2 };
    await expect(unpack(folder, await newFolder(), { unpackedName, limits })).rejects.toThrow(
      "more than 2 files",
    );
    await symlink(join(folder, "import.jsonl"), join(folder, "data", "link"));
    await expect(unpack(folder, await newFolder(), { unpackedName })).rejects.toThrow("a link or a device");
  });

  test("is one file of records, which no other kind of import takes", async () => {
    const path = join(await folderOf({ "any.jsonl": '{"type":"version"}\n' }), "any.jsonl");
    const archive = await unpack(path, await newFolder(), { unpackedName });
    expect([...archive.files.keys()]).toEqual(["import.jsonl"]);
    expect(await problemOf(path)).toContain("no archive that can be imported");
  });
});

describe("JSON of lines", () => {
  async function linesOf(content: string | Buffer): Promise<unknown[]> {
    const path = join(await newFolder(), "lines.jsonl");
    await writeFile(path, content);
    const lines: unknown[] = [];
    for await (const { number, row } of readJsonLines(path, "lines.jsonl")) lines.push([number, row]);
    return lines;
  }

  test("is read line by line, with or without empty lines, a mark in front and a line break at the end", async () => {
    const expected = [
      [1, { a: 1 }],
      [3, { b: "ü" }],
    ];
    expect(await linesOf('\ufeff{"a":1}\r\n\r\n{"b":"ü"}')).toEqual(expected);
    expect(await linesOf('{"a":1}\n  \n{"b":"ü"}\n')).toEqual(expected);
    expect(await linesOf("")).toEqual([]);
  });

  test("of more than a block of the file is read whole", async () => {
    const rows = Array.from({ length: 20_000 }, (_, id) => ({ id, text: `ü "${id}" `.repeat(id % 20) }));
    const lines = await linesOf(rows.map((row) => JSON.stringify(row)).join("\n"));
    expect(lines).toEqual(rows.map((row, index) => [index + 1, row]));
  });

  test("that is cut off, or has a line that is no object, is refused with the place", async () => {
    await expect(linesOf('{"a":1}\n{"b":')).rejects.toThrow("lines.jsonl ends in the middle");
    await expect(linesOf('{"a":1}\n{"b":\n{"c":1}\n')).rejects.toThrow("no valid JSON in line 2");
    await expect(linesOf('{"a":1}\n[1]\n')).rejects.toThrow("no record in line 2");
  });

  test("with a line beyond the bound is refused before it is whole", async () => {
    await expect(linesOf(Buffer.alloc(66 * 1024 * 1024, 0x20))).rejects.toThrow("a line of more than 64 MiB");
  });
});

describe("JSON of tables", () => {
  async function rowsOf(text: string): Promise<unknown[]> {
    const path = join(await newFolder(), "rows.json");
    await writeFile(path, text);
    const rows: unknown[] = [];
    for await (const { table, row } of readJsonRows(path, "rows.json")) rows.push([table, row]);
    return rows;
  }

  test("is read record by record", async () => {
    const tables = {
      a: [{ x: ']},\\"{[' }, { y: [1, [2]] }],
      b: [],
      c: "text",
      d: [1, "two", null, true],
      e: { f: 1 },
    };
    const expected = [
      ...tables.a.map((row) => ["a", row]),
      ["c", "text"],
      ...tables.d.map((row) => ["d", row]),
      ["e", { f: 1 }],
    ];
    expect(await rowsOf(JSON.stringify(tables))).toEqual(expected);
    expect(await rowsOf(JSON.stringify(tables, null, 2))).toEqual(expected);
  });

  test("of more than a block of the file is read whole", async () => {
    const rows = Array.from({ length: 30_000 }, (_, id) => ({ id, text: `ü "${id}" `.repeat(id % 20) }));
    expect(await rowsOf(JSON.stringify({ rows }))).toEqual(rows.map((row) => ["rows", row]));
  });

  test("that is cut off anywhere is refused", async () => {
    const text = JSON.stringify({ a: [{ x: "y" }, { x: 12 }], b: "c" });
    for (let length = 0; length < text.length; length++) {
      await expect(rowsOf(text.slice(0, length)), text.slice(0, length)).rejects.toThrow(
        /ends in the middle|no valid/,
      );
    }
  });

  test("that is no JSON is refused with the place", async () => {
    for (const text of ["[1]", '{"a":[{x:1}]}', '{"a":[1 2]}', '{"a":[1]} x', '{"a" [1]}', "{1:2}"]) {
      await expect(rowsOf(text), text).rejects.toThrow("no valid JSON near byte");
    }
  });
});
