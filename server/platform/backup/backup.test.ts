import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { buffer } from "node:stream/consumers";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { DirectoryStorage } from "../file-storage/directory-storage.ts";
import { startEmbeddedPostgres } from "../postgres/launcher.ts";
import { makeTemporaryDirectory, startThrowAwayPostgres } from "../postgres/throw-away.ts";
import { type BackupSource, makeBackup } from "./backup.ts";
import { DirectoryTarget } from "./directory-target.ts";
import { parseKeepRule } from "./keep-rule.ts";
import { findBackup, listBackups } from "./manifest.ts";
import { openTarget } from "./open-target.ts";
import { restoreBackup } from "./restore.ts";
import type { BackupTarget } from "./target.ts";
import { verifyBackup } from "./verify.ts";

const SECRET = "a-secret-for-the-backup";
let postgres: Awaited<ReturnType<typeof startThrowAwayPostgres>>;
let dir: string;
let source: BackupSource;
let files: DirectoryStorage;
let target: BackupTarget;

beforeAll(async () => {
  postgres = await startThrowAwayPostgres();
  await statement("create table notes (id int primary key, text text)");
  await statement("insert into notes select n, repeat('note ' || n, 40) from generate_series(1, 5000) n");
});
afterAll(() => postgres.stop());

beforeEach(async () => {
  dir = makeTemporaryDirectory("parley-backup-");
  const made = dir;
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  files = new DirectoryStorage(path.join(dir, "files"));
  await files.prepare();
  await store("1/uploads/a.txt", Buffer.from("a file"));
  await store("1/uploads/large", Buffer.alloc(700_000, "large "));
  await store("1/uploads/empty", Buffer.alloc(0));
  source = { connection: postgres.connection, files, secret: { kind: "included", value: SECRET } };
  target = new DirectoryTarget(path.join(dir, "target"));
});

test("a backup of a running database is restored with its files and the secret", async () => {
  await makeBackup(source, target);
  await statement("insert into notes values (9001, 'after the backup')");
  onTestFinished(async () => void (await statement("delete from notes where id = 9001")));

  const { dataDir, restored } = await restore();
  expect(await rowsOf(dataDir)).toEqual([{ count: 5000, id: 5000 }]);
  expect((await read(restored, "1/uploads/a.txt"))?.toString()).toBe("a file");
  expect((await read(restored, "1/uploads/large"))?.length).toBe(700_000);
  expect(await read(restored, "1/uploads/empty")).toEqual(Buffer.alloc(0));
  expect(readFileSync(path.join(dataDir, "secret"), "utf8")).toBe(SECRET);
  expect(statSync(path.join(dataDir, "secret")).mode & 0o077).toBe(0);
});

test("an encrypted backup is verified and restored with its key alone", async () => {
  const key = "a-key-for-the-backups";
  target = openTarget({ place: path.join(dir, "target"), key: key, s3: undefined });
  const first = await makeBackup(source, target);
  expect((await makeBackup(source, target)).written.bytes).toBeLessThan(first.written.bytes / 4);
  target = openTarget({ place: path.join(dir, "target"), key: key, s3: undefined });
  const proof = await verifyBackup(target, await findBackup(target), dir);
  expect(proof).toMatchObject({ tables: 1, rows: 5000, files: 3 });
  const { dataDir, restored } = await restore();
  expect(await rowsOf(dataDir)).toEqual([{ count: 5000, id: 5000 }]);
  expect((await read(restored, "1/uploads/large"))?.length).toBe(700_000);
  expect(readFileSync(path.join(dataDir, "secret"), "utf8")).toBe(SECRET);
});

test("only its owner can read a backup", async () => {
  await makeBackup(source, target);
  const [backup] = readdirSync(path.join(dir, "target", "backups"));
  expect(statSync(path.join(dir, "target")).mode & 0o077).toBe(0);
  expect(statSync(path.join(dir, "target", "backups", backup as string)).mode & 0o077).toBe(0);
});

test("a second backup writes what has changed, and each can be restored", async () => {
  const first = await makeBackup(source, target);
  await statement("insert into notes values (9002, 'between the backups')");
  onTestFinished(async () => void (await statement("delete from notes where id = 9002")));
  await store("1/uploads/b.txt", Buffer.from("another file"));
  await files.delete("1/uploads/a.txt");
  const second = await makeBackup(source, target);

  expect(second.written.bytes).toBeLessThan(first.written.bytes / 4);
  expect((await listBackups(target)).map(({ id }) => id)).toEqual([first.manifest.id, second.manifest.id]);
  const newer = await restore();
  expect(await rowsOf(newer.dataDir)).toEqual([{ count: 5001, id: 9002 }]);
  expect([
    await newer.restored.size("1/uploads/a.txt"),
    await newer.restored.size("1/uploads/b.txt"),
  ]).toEqual([undefined, 12]);
  const older = await restore(first.manifest.id);
  expect(await rowsOf(older.dataDir)).toEqual([{ count: 5000, id: 5000 }]);
  expect(await older.restored.size("1/uploads/a.txt")).toBe(6);
});

test("a file that is deleted while the database is copied is in the backup", async () => {
  const deleting = new WatchedTarget(path.join(dir, "target"), async (count) => {
    if (count === 20) await files.delete("1/uploads/a.txt");
  });
  await makeBackup(source, deleting);
  expect(await files.size("1/uploads/a.txt")).toBeUndefined();
  const { restored } = await restore();
  expect((await read(restored, "1/uploads/a.txt"))?.toString()).toBe("a file");
});

test("a file that is stored while the database is copied is in the backup", async () => {
  const storing = new WatchedTarget(path.join(dir, "target"), async (count) => {
    if (count === 20) await store("1/uploads/new.txt", Buffer.from("new"));
  });
  await makeBackup(source, storing);
  expect((await read((await restore()).restored, "1/uploads/new.txt"))?.toString()).toBe("new");
});

test("a verified backup was restored and read whole", async () => {
  await makeBackup(source, target);
  const proof = await verifyBackup(target, await findBackup(target), dir);
  expect(proof).toMatchObject({ tables: 1, rows: 5000, files: 3 });
  expect(proof.indexes).toBeGreaterThan(0);
  expect(readdirSync(dir).sort()).toEqual(["files", "target"]);
});

test.each([
  ["flipped", "is damaged", (bytes: Buffer) => flip(bytes)],
  ["cut off", "is damaged", (bytes: Buffer) => bytes.subarray(0, bytes.length / 2)],
  ["missing", "lacks pieces/", () => undefined],
])(
  "a backup with a piece that is %s is never called good, and no server starts on what was restored",
  async (_, words, change) => {
    await makeBackup(source, target);
    damageLargestPiece(change);
    const backup = await findBackup(target);
    await expect(verifyBackup(target, backup, dir)).rejects.toThrow(words);
    const dataDir = path.join(dir, "damaged");
    await expect(
      restoreBackup(target, backup, { dataDir, files: new DirectoryStorage(path.join(dataDir, "files")) }),
    ).rejects.toThrow(words);
    await expect(startEmbeddedPostgres({ dataDir })).rejects.toThrow("was interrupted");
    await expect(restore(undefined, dataDir)).rejects.toThrow("is not empty");
  },
);

test.each([
  [{ schema: 9999 }, "was made by a newer Parley"],
  [{ postgres: 17 }, "is of PostgreSQL 17, but this Parley includes PostgreSQL"],
])("a backup with %j is refused before anything is written", async (changed, sentence) => {
  await makeBackup(source, target);
  const backup = { ...(await findBackup(target)), ...changed };
  const dataDir = path.join(dir, "refused");
  const place = { dataDir, files: new DirectoryStorage(path.join(dataDir, "files")) };
  await expect(restoreBackup(target, backup, place)).rejects.toThrow(sentence);
  expect(existsSync(dataDir)).toBe(false);
});

test("the next backup writes a piece again that was lost", async () => {
  await makeBackup(source, target);
  damageLargestPiece(() => undefined);
  await makeBackup(source, target);
  expect(await rowsOf((await restore()).dataDir)).toEqual([{ count: 5000, id: 5000 }]);
});

test("a backup that fails leaves those of before as they were", async () => {
  const { manifest } = await makeBackup(source, target);
  await store("1/uploads/c.txt", Buffer.from("a third file"));
  const full = new WatchedTarget(path.join(dir, "target"), async () => {
    throw new Error("no space");
  });
  await expect(makeBackup(source, full)).rejects.toThrow("no space");
  expect((await listBackups(target)).map(({ id }) => id)).toEqual([manifest.id]);
  await makeBackup(source, target);
  expect((await listBackups(target)).length).toBe(2);
});

test("what a killed backup had begun to write is deleted by the next one", async () => {
  await makeBackup(source, target);
  const left = path.join(dir, "target", "pieces", "00", "half.gz.part");
  mkdirSync(path.dirname(left), { recursive: true });
  writeFileSync(left, "half");
  await makeBackup(source, target);
  expect(existsSync(left)).toBe(false);
});

test("a backup leaves alone what the archive of the log is writing", async () => {
  const writing = path.join(dir, "target", "log", "0123456789ab", "until.part");
  mkdirSync(path.dirname(writing), { recursive: true });
  writeFileSync(writing, "half");
  await makeBackup(source, target);
  expect(existsSync(writing)).toBe(true);
});

test("a backup deletes those that the rule does not keep, and stays whole", async () => {
  const first = await makeBackup(source, target);
  const second = await makeBackup(source, target, parseKeepRule("1d"));
  expect(second.deleted).toEqual([first.manifest.id]);
  expect(await verifyBackup(target, await findBackup(target), dir)).toMatchObject({ rows: 5000, files: 3 });
});

test("a target has the backups of one installation", async () => {
  await makeBackup(source, target);
  const mark = path.join(dir, "target", "parley-backup.json");
  writeFileSync(mark, readFileSync(mark, "utf8").replace(/\d{15,}/, "7"));
  await expect(makeBackup(source, target)).rejects.toThrow("has the backups of another installation");
});

test("a directory that has something else is left alone", async () => {
  mkdirSync(path.join(dir, "target"));
  writeFileSync(path.join(dir, "target", "holiday.jpg"), "");
  await expect(makeBackup(source, target)).rejects.toThrow("is not empty: it has holiday.jpg");
  await expect(listBackups(target)).rejects.toThrow("There are no backups of Parley in");
  expect(readdirSync(path.join(dir, "target"))).toEqual(["holiday.jpg"]);
});

test("two backups are not made at one time", async () => {
  const outcomes = await Promise.allSettled([makeBackup(source, target), makeBackup(source, target)]);
  expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  expect(outcomes.find(({ status }) => status === "rejected")).toMatchObject({
    reason: { message: expect.stringContaining("Another backup of this installation is being made") },
  });
});

test("a target is never inside of what it is a backup of", () => {
  const config = { dataDir: path.join(dir, "data"), files: path.join(dir, "elsewhere"), s3: undefined };
  for (const place of ["data", "data/backups", "elsewhere/x"])
    expect(() => openTarget({ place: path.join(dir, place), key: undefined, s3: undefined }, config)).toThrow(
      "which the backup is of",
    );
  expect(() =>
    openTarget({ place: path.join(dir, "data-backups"), key: undefined, s3: undefined }, config),
  ).not.toThrow();
});

test("a target below a file is named", async () => {
  writeFileSync(path.join(dir, "a-file"), "");
  const wrong = new DirectoryTarget(path.join(dir, "a-file", "target"));
  await expect(makeBackup(source, wrong)).rejects.toThrow(
    "is not a directory, or below something that is none",
  );
});

test("the mark of the files is restored with them, and no other place is backed up or restored to", async () => {
  const [id, other] = [randomUUID(), randomUUID()];
  await statement(`create table files_mark (id uuid, is_written boolean);
    insert into files_mark values ('${id}', true)`);
  onTestFinished(async () => void (await statement("drop table files_mark")));
  const made = makeBackup(source, target);
  await expect(made).rejects.toThrow("has no files of this installation. Is it mounted?");
  await expect(made).rejects.toThrow("No backup was made.");
  expect(existsSync(path.join(dir, "target"))).toBe(false);
  await files.mark.write(id);
  await makeBackup(source, target);
  expect((await findBackup(target)).filesMark).toBe(id);

  const { dataDir, restored } = await restore();
  expect(await restored.mark.read()).toBe(id);
  expect(await rowsOf(dataDir)).toEqual([{ count: 5000, id: 5000 }]);
  // A place that survived has the mark.
  const again = path.join(dir, "again");
  await restoreBackup(target, await findBackup(target), { dataDir: again, files });
  expect(await files.mark.read()).toBe(id);
  await files.mark.write(other);
  const wrong = path.join(dir, "wrong");
  await expect(restoreBackup(target, await findBackup(target), { dataDir: wrong, files })).rejects.toThrow(
    "has files of another installation. Name another place in PARLEY_FILES.",
  );
  expect(existsSync(wrong)).toBe(false);
});

/** Does something after each piece that it has written. */
class WatchedTarget extends DirectoryTarget {
  readonly #then: (count: number) => Promise<void>;
  #count = 0;

  constructor(root: string, then: (count: number) => Promise<void>) {
    super(root);
    this.#then = then;
  }

  override async write(name: string, bytes: Buffer): Promise<void> {
    await super.write(name, bytes);
    if (name.startsWith("pieces/")) await this.#then(++this.#count);
  }
}

function store(key: string, bytes: Buffer): Promise<void> {
  return files.put(key, { bytes, contentType: "text/plain" });
}

async function read(storage: DirectoryStorage, key: string): Promise<Buffer | undefined> {
  const opened = await storage.open(key);
  return opened && buffer(opened.stream);
}

let restores = 0;

async function restore(
  id?: string,
  dataDir = path.join(dir, `restored-${restores++}`),
): Promise<{ dataDir: string; restored: DirectoryStorage }> {
  const restored = new DirectoryStorage(path.join(dataDir, "files"));
  await restoreBackup(target, await findBackup(target, id), { dataDir, files: restored });
  return { dataDir, restored };
}

async function rowsOf(dataDir: string): Promise<unknown[]> {
  const started = await startEmbeddedPostgres({ dataDir });
  try {
    return await statement("select count(*)::int as count, max(id) as id from notes", started.connection);
  } finally {
    await started.stop();
  }
}

async function statement(text: string, connection = postgres.connection): Promise<unknown[]> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

function damageLargestPiece(change: (bytes: Buffer) => Buffer | undefined): void {
  const root = path.join(dir, "target", "pieces");
  const found = readdirSync(root, { recursive: true, encoding: "utf8" })
    .map((name) => path.join(root, name))
    .filter((name) => name.endsWith(".gz"))
    .sort((a, b) => statSync(b).size - statSync(a).size)[0] as string;
  expect(existsSync(found)).toBe(true);
  const changed = change(readFileSync(found));
  if (changed) writeFileSync(found, changed);
  else rmSync(found);
}

function flip(bytes: Buffer): Buffer {
  const middle = bytes.length >> 1;
  bytes[middle] = (bytes[middle] as number) ^ 1;
  return bytes;
}
