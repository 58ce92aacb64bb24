import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, test } from "vitest";
import { type ArchiveOnDisk, writeArchive } from "../../../test/harness/zulip-export.ts";
import { archiveLimits } from "./bounds.ts";
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
