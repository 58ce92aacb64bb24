// Backups that servers make by themselves.
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { beforeAll, expect, test } from "vitest";
import { build, parley, start, temporaryDirectory, usedDirectory, waitUntil } from "../e2e/parley.ts";
import { LONG_MS, MADE_MS } from "./backup-times.ts";

beforeAll(build);

test.each([
  ["one process", []],
  ["workers", ["--workers", "2"]],
])(
  "a server of %s makes a backup by itself, and after a kill none that is not due",
  async (_, words) => {
    const dataDir = await usedDirectory("serve");
    const target = path.join(temporaryDirectory(), "backups");
    const env = { PARLEY_DATA_DIR: dataDir, PARLEY_BACKUP: target, PARLEY_BACKUP_KEEP: "7d" };
    const recorded = () => {
      const place = path.join(dataDir, "backups.json");
      return existsSync(place) ? JSON.parse(readFileSync(place, "utf8")) : {};
    };
    const server = await start(["serve", ...words], { env });
    await waitUntil(() => recorded().newest !== undefined, "a backup is noted", MADE_MS);
    const listed = await parley(["backup", "list", target]);
    expect(listed.stdout).toMatch(/^\d{8}T\d{6}Z .* with secret [^\n]*\n$/);
    expect(recorded()).toMatchObject({ target, failures: 0, newest: { id: listed.stdout.slice(0, 16) } });
    await server.stop("SIGKILL");
    expect(await parley(["backup", "verify", target])).toMatchObject({ code: 0, stderr: "" });
    rmSync(path.join(dataDir, "backups.json"));
    const second = await start(["serve", ...words], { env });
    await waitUntil(() => recorded().newest !== undefined, "the backup is found again", MADE_MS);
    expect((await parley(["backup", "list", target])).stdout).toBe(listed.stdout);
    expect((await second.stop()).code).toBe(0);
  },
  LONG_MS,
);

test(
  "a server encrypts its backups and its log with a key, without which no command reads them",
  async () => {
    const dataDir = await usedDirectory("serve");
    const dir = temporaryDirectory();
    const [target, keyFile] = [path.join(dir, "backups"), path.join(dir, "key")];
    writeFileSync(keyFile, "a-key-for-the-backups\n");
    const key = { PARLEY_BACKUP_KEY: `@${keyFile}` };
    const env = { PARLEY_DATA_DIR: dataDir, PARLEY_BACKUP: target, ...key };
    const server = await start(["serve"], { env });
    await waitUntil(() => existsSync(path.join(dataDir, "backups.json")), "a backup is noted", MADE_MS);
    const streams = () => readdirSync(path.join(target, "log"), { recursive: true, encoding: "utf8" });
    await waitUntil(
      () => streams().some((name) => name.endsWith("until.sealed")),
      "the log is archived",
      MADE_MS,
    );
    await server.stop();
    expect(await parley(["backup", target], { ...env })).toMatchObject({ code: 0, stderr: "" });
    expect((await parley(["backup", "list", target], key)).stdout.trim().split("\n")).toHaveLength(2);
    expect(await parley(["backup", "verify", target], key)).toMatchObject({ code: 0, stderr: "" });
    const restored = path.join(dir, "restored");
    const restore = ["restore", target, "--data-dir", restored];
    for (const words of [
      ["backup", "list", target],
      ["backup", "verify", target],
      ["backup", target],
      restore,
    ]) {
      const none = await parley(words, { PARLEY_DATA_DIR: dataDir });
      expect([none.code, none.stderr], words.join(" ")).toEqual([
        78,
        expect.stringMatching(
          / are encrypted\. Set PARLEY_BACKUP_KEY to their key, which has the id [0-9a-f]{16}\. \(P403\)\n$/,
        ),
      ]);
      const wrong = await parley(words, {
        PARLEY_DATA_DIR: dataDir,
        PARLEY_BACKUP_KEY: "another-key-than-that",
      });
      expect([wrong.code, wrong.stderr], words.join(" ")).toEqual([
        78,
        expect.stringContaining("were encrypted with another key than the one in PARLEY_BACKUP_KEY."),
      ]);
    }
    expect(existsSync(restored)).toBe(false);
    expect(await parley(restore, key)).toMatchObject({ code: 0, stderr: "" });
  },
  LONG_MS,
);

test("a backup that a server can't make is in its log and in what doctor says", async () => {
  const dataDir = await usedDirectory("serve");
  const other = temporaryDirectory();
  writeFileSync(path.join(other, "holiday.jpg"), "");
  const env = { PARLEY_DATA_DIR: dataDir, PARLEY_BACKUP: other };
  const server = await start(["serve"], { env });
  const sentence = `The backup failed, and will be tried again: ${other} is not empty: it has holiday.jpg`;
  await waitUntil(() => server.stderr().includes(sentence), "the failure is logged", MADE_MS);
  const doctor = await parley(["doctor"], env);
  expect(doctor.stdout).toContain(`There are no backups of Parley in ${other}`);
  await server.stop();
});
