import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { type ZipEntry, zipOf } from "../../../test/harness/zip-archive.ts";
import { archiveLimits } from "./bounds.ts";
import { unpack } from "./unpack.ts";

const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
});

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "parley-zip-"));
  folders.push(folder);
  return folder;
}

async function unzipped(bytes: Buffer, limits = archiveLimits): Promise<Record<string, string>> {
  const path = join(await newFolder(), "export.zip");
  await writeFile(path, bytes);
  const { files } = await unpack(path, await newFolder(), { limits });
  const texts: Record<string, string> = {};
  for (const [name, file] of files) texts[name] = await readFile(file.path, "utf8");
  return texts;
}

async function problemOf(
  entries: readonly ZipEntry[] | Buffer,
  limits?: typeof archiveLimits,
): Promise<string> {
  const bytes = Buffer.isBuffer(entries) ? entries : zipOf(entries);
  const outcome = await unzipped(bytes, limits).catch((error: Error) => error);
  return outcome instanceof Error ? `${outcome.name}: ${outcome.message}` : "none";
}

const file = (name: string, fields: Partial<ZipEntry> = {}): ZipEntry => ({ name, content: "x", ...fields });

describe("a zip file", () => {
  test("is read with names in UTF-8 though no flag says so, stored, packed, and with fields of zip64", async () => {
    const entries = [
      { name: "kaffee-küche/1.json", content: "[]" },
      { name: "stored", content: "as it is", method: 0 },
      { name: "long", content: "long ".repeat(5000), isZip64: true },
      { name: "empty/", content: "" },
      { name: "__MACOSX/._long", content: "litter" },
    ];
    expect(await unzipped(zipOf(entries))).toEqual({
      "kaffee-küche/1.json": "[]",
      stored: "as it is",
      long: "long ".repeat(5000),
    });
    expect(Object.keys(await unzipped(zipOf([file("export/a"), file("export/b")])))).toEqual(["a", "b"]);
  });

  test("with names that lead out of its folder, links or two files of a name is refused", async () => {
    for (const name of ["../evil", "a/../../evil", "/etc/evil", "a\\..\\evil", "C:evil", "a\0b"]) {
      expect(await problemOf([file(name)]), name).toContain("leads out of its folder");
    }
    expect(await problemOf([file("a".repeat(1001))])).toContain("name is too long");
    expect(await problemOf([file("link", { mode: 0o120777 })])).toContain("a link or a device");
    expect(await problemOf([file("plain", { mode: 0o100644 })])).toBe("none");
    expect(await problemOf([file("a"), file("./a")])).toContain("two files of the same name");
    expect(await problemOf([file("e\u0301"), file("\u00e9")])).toContain("two files of the same name");
  });

  test("that is encrypted, or packed by another method, says so", async () => {
    expect(await problemOf([file("a", { flags: 1 })])).toContain("The archive is encrypted");
    expect(await problemOf([file("a", { method: 14 })])).toContain("method that is not known here (14)");
  });

  test("that unpacks to far more than its size, or has too many files, is refused", async () => {
    const limits = { entries: 2, bytes: 1000, ratio: 5 };
    expect(await problemOf([file("a", { content: "0".repeat(100_000) })], limits)).toContain("far more than");
    expect(await problemOf([file("a"), file("b"), file("c")], limits)).toContain("more than 2 files");
    expect(await problemOf([file("a", { content: "0".repeat(900) }), file("b")], limits)).toBe("none");
    // The directory says less than it unpacks to.
    const hidden = file("a", { content: "0".repeat(100_000), size: 10 });
    expect(await problemOf([hidden], limits)).toContain("damaged");
  });

  test("that is cut off anywhere, damaged or empty is refused with a sentence", async () => {
    const whole = zipOf([file("a", { content: Math.random().toString() }), file("b")]);
    for (let length = 4; length < whole.length; length++) {
      expect(await problemOf(whole.subarray(0, length)), `${length} bytes`).toMatch(/damaged or was cut off/);
    }
    expect(await problemOf([file("a", { sum: 1 })])).toContain("damaged");
    expect(await problemOf(zipOf([]))).toContain("The archive is empty");
    const entries = [file("a", { isZip64: true, size: 2 ** 40 })];
    expect(await problemOf(entries)).toContain("far more than");
  });
});
