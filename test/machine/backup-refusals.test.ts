// What backups and restores refuse, with a sentence.
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { beforeAll, expect, test } from "vitest";
import { build, parley, start, temporaryDirectory, usedDirectory } from "../e2e/parley.ts";

beforeAll(build);

test("what can't be restored into is refused with a sentence, and stays as it is", async () => {
  const dataDir = await usedDirectory("serve");
  const target = path.join(temporaryDirectory(), "backups");
  const env = { PARLEY_DATA_DIR: dataDir };
  expect(await parley(["backup", target], env)).toMatchObject({ code: 0 });
  const server = await start(["serve"], { env });
  const running = await parley(["restore", target, "--data-dir", dataDir]);
  expect([running.code, running.stderr]).toEqual([
    75,
    `A server or a command is running on ${dataDir}, so nothing is restored there. Name an empty or a new directory. (P206)\n`,
  ]);
  expect((await fetch(`${server.url}/ready`)).status).toBe(200);
  await server.stop();
  const other = temporaryDirectory();
  writeFileSync(path.join(other, "holiday.jpg"), "");
  for (const dir of [dataDir, other]) {
    const before = readdirSync(dir);
    const refused = await parley(["restore", target, "--data-dir", dir]);
    expect([refused.code, refused.stderr]).toEqual([
      73,
      `${dir} is not empty. A restore needs an empty or a new directory, so move what is there, or name another one. (P409)\n`,
    ]);
    expect(readdirSync(dir)).toEqual(before);
  }
});

test("half a restore with its files elsewhere is no first start", async () => {
  const dir = temporaryDirectory();
  const [dataDir, files] = [path.join(dir, "data"), path.join(dir, "files")];
  mkdirSync(path.join(files, "1", "uploads"), { recursive: true });
  writeFileSync(path.join(files, "1", "uploads", "a.txt"), "a file");
  for (const words of [["serve"], ["serve", "--workers", "2"], ["organization", "list"]]) {
    const refused = await parley(words, { PARLEY_DATA_DIR: dataDir, PARLEY_FILES: files });
    expect([refused.code, refused.stderr], words.join(" ")).toEqual([
      78,
      expect.stringContaining(
        `${files} has files of an installation, but ${dataDir} has no database. Restore the database into it from the same backup, or name an empty place in PARLEY_FILES for a new installation.`,
      ),
    ]);
    expect(existsSync(path.join(dataDir, "postgres"))).toBe(false);
  }
});

test("what can't be a target is refused with a sentence before anything is read", async () => {
  const dataDir = await usedDirectory("serve");
  const env = { PARLEY_DATA_DIR: dataDir };
  const other = temporaryDirectory();
  writeFileSync(path.join(other, "holiday.jpg"), "");
  for (const [words, sentence, variables] of [
    [["backup"], "Missing argument. Usage: parley backup", {}],
    [["backup", path.join(dataDir, "backups")], "which the backup is of", {}],
    [["backup", other], "is not empty: it has holiday.jpg", {}],
    [
      ["backup", "ftp://host/dir"],
      "is not the path of a directory, and does not have the form s3://bucket/prefix.",
      {},
    ],
    [["backup", other], "There is no Parley data in", { PARLEY_DATA_DIR: path.join(other, "none") }],
    [
      ["backup", other],
      "DATABASE_URL names a PostgreSQL of your own",
      { DATABASE_URL: "postgres://x@localhost/y" },
    ],
    [["backup", "list", other], "There are no backups of Parley in", {}],
    [["backup", "verify", path.join(other, "none")], "There are no backups of Parley in", {}],
    [["restore", other], "--data-dir DIR", {}],
    [["restore", other, "--data-dir", dataDir], "There are no backups of Parley in", {}],
  ] as [string[], string, Record<string, string>][]) {
    const { code, stderr } = await parley(words, { ...env, ...variables });
    expect([code === 0, stderr], words.join(" ")).toEqual([false, expect.stringContaining(sentence)]);
    expect(stderr).not.toContain("    at ");
  }
  expect(readdirSync(other)).toEqual(["holiday.jpg"]);
});
