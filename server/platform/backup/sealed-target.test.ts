import { createHash } from "node:crypto";
import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { makeTemporaryDirectory } from "../postgres/throw-away.ts";
import { listChunks, readUntil, writeChunk, writeSegments, writeUntil } from "./log-chunks.ts";
import { claimTarget, findBackup, listBackups, type Manifest, readList, writeManifest } from "./manifest.ts";
import { openTarget } from "./open-target.ts";
import { listPieces, PieceWriter, readPieces } from "./pieces.ts";
import type { BackupTarget } from "./target.ts";

const KEY = "a-key-for-the-backups";
const CONTENT = "The merger is announced on Friday.\n";
let dir: string;
let root: string;
let target: BackupTarget;

beforeEach(async () => {
  dir = makeTemporaryDirectory("parley-sealed-");
  const made = dir;
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  root = path.join(dir, "target");
  target = openTarget({ place: root, key: KEY, s3: undefined });
  await claimTarget(target, "7");
});

async function addPieces(content: string): Promise<string[]> {
  const pieces = new PieceWriter(target);
  const names = await pieces.add(Readable.from([Buffer.from(content)]));
  await pieces.finish();
  return names;
}

/** What a backup with the one file is, but for what is not looked at here. */
async function makeBackup(id: string, content = CONTENT): Promise<void> {
  const list = await addPieces(
    `${JSON.stringify({ key: "1/uploads/merger.txt", pieces: await addPieces(content) })}\n`,
  );
  const files = { count: 1, bytes: content.length, pieces: list };
  await writeManifest(target, { id, finishedAt: "2026-11-28T03:00:00.000Z", files } as unknown as Manifest);
}

const placesIn = (folder = "") =>
  readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" })
    .map((name) => path.join(root, folder, name))
    .filter((place) => statSync(place).isFile())
    .sort();

const DAMAGED = "is damaged, or was put there by somebody else.";

test("what is written is read with the key, and each piece is written once", async () => {
  await makeBackup("one");
  const reader = openTarget({ place: root, key: KEY, s3: undefined });
  const backup = await findBackup(reader);
  expect(backup).toMatchObject({ id: "one", files: { count: 1 } });
  for await (const { pieces } of readList<{ pieces: string[] }>(reader, backup.files))
    expect(await text(readPieces(reader, pieces))).toBe(CONTENT);
  const before = placesIn("pieces");
  await addPieces(CONTENT);
  expect(placesIn("pieces")).toEqual(before);
  const names: string[] = [];
  for await (const name of listPieces(reader)) names.push(name);
  expect(names).toHaveLength(2);
});

test("nothing in the target tells what is in it, nor that a known file is", async () => {
  await makeBackup("one");
  const { end } = await writeChunk(target, "stream", 0x2000000n, Buffer.from(CONTENT));
  await writeUntil(target, "stream", { at: new Date(), location: end });
  const owner = path.join(root, "parley-backup.json");
  expect(placesIn().length).toBeGreaterThan(4);
  for (const place of placesIn()) {
    const bytes = readFileSync(place);
    if (place !== owner) expect(bytes.subarray(0, 7), place).toEqual(Buffer.from("PARLEY\x01"));
    for (const word of ["merger", "finishedAt", "Friday", "uploads"])
      expect(bytes.includes(word), place).toBe(false);
    // A gzip file begins with these.
    expect(bytes.subarray(39, 41), place).not.toEqual(Buffer.from([0x1f, 0x8b]));
  }
  const known = createHash("sha256").update(CONTENT).digest("hex");
  expect(placesIn().join("\n")).not.toContain(known.slice(0, 12));
  expect(JSON.parse(readFileSync(owner, "utf8"))).toEqual({
    format: 1,
    installation: "7",
    encryption: {
      scheme: "parley-1",
      salt: expect.stringMatching(/^[0-9a-f]{64}$/),
      keyId: expect.stringMatching(/^[0-9a-f]{16}$/),
    },
  });
});

test("a missing key, another key, and one too many are told apart, and nothing is written then", async () => {
  await makeBackup("one");
  const { keyId } = JSON.parse(readFileSync(path.join(root, "parley-backup.json"), "utf8")).encryption;
  const before = placesIn();
  for (const act of [
    listBackups,
    (one: BackupTarget) => findBackup(one),
    (one: BackupTarget) => claimTarget(one, "7"),
  ]) {
    await expect(act(openTarget({ place: root, key: undefined, s3: undefined }))).rejects.toThrow(
      `The backups in ${root} are encrypted. Set PARLEY_BACKUP_KEY to their key, which has the id ${keyId}.`,
    );
    await expect(
      act(openTarget({ place: root, key: "another-key-than-that", s3: undefined })),
    ).rejects.toThrow(
      `The backups in ${root} were encrypted with another key than the one in PARLEY_BACKUP_KEY. Theirs has the id ${keyId}.`,
    );
  }
  expect(placesIn()).toEqual(before);
  const plain = path.join(dir, "plain");
  await claimTarget(openTarget({ place: plain, key: undefined, s3: undefined }), "7");
  for (const act of [listBackups, (one: BackupTarget) => claimTarget(one, "7")])
    await expect(act(openTarget({ place: plain, key: KEY, s3: undefined }))).rejects.toThrow(
      `The backups in ${plain} are not encrypted, but PARLEY_BACKUP_KEY is set.`,
    );
});

test.each([
  ["cut short", (bytes: Buffer) => bytes.subarray(0, -1)],
  ["cut to nothing", () => Buffer.alloc(0)],
  ["cut behind its head", (bytes: Buffer) => bytes.subarray(0, 39)],
  ["one bit of its content changed", (bytes: Buffer) => flip(bytes, bytes.length - 20)],
  ["one bit of its salt changed", (bytes: Buffer) => flip(bytes, 10)],
  ["one bit of its tag changed", (bytes: Buffer) => flip(bytes, bytes.length - 1)],
])("a piece with %s is never taken for good, nor is a manifest", async (_, change) => {
  await makeBackup("one");
  const [name = ""] = await addPieces("a piece\n");
  const piece = placesIn("pieces").find((place) => place.includes(name)) as string;
  writeFileSync(piece, change(readFileSync(piece)));
  await expect(text(readPieces(target, [name]))).rejects.toThrow(DAMAGED);
  const [manifest = ""] = placesIn("backups");
  writeFileSync(manifest, change(readFileSync(manifest)));
  await expect(listBackups(target)).rejects.toThrow(`backups/one.json.sealed in ${root} ${DAMAGED}`);
});

test("pieces, backups and parts of the log that were put in another's place are noticed", async () => {
  await makeBackup("one");
  const [first = "", second = ""] = [...(await addPieces("one\n")), ...(await addPieces("two\n"))];
  const [a, b] = [first, second].map(
    (name) => placesIn("pieces").find((place) => place.includes(name)) as string,
  );
  const bytes = readFileSync(a as string);
  renameSync(b as string, a as string);
  writeFileSync(b as string, bytes);
  await expect(text(readPieces(target, [first]))).rejects.toThrow(DAMAGED);
  await expect(text(readPieces(target, [second]))).rejects.toThrow(DAMAGED);

  const later = await writeChunk(target, "s", 0x2000000n, Buffer.from("later"));
  await writeChunk(target, "s", later.end, Buffer.from("laser"));
  const [one, two] = placesIn("log") as [string, string];
  writeFileSync(two, readFileSync(one));
  const place = { stream: "s", timeline: 1, from: 0x2000000n, logDir: dir };
  await expect(writeSegments(target, place)).rejects.toThrow(DAMAGED);
  expect(await listChunks(target, "s")).toHaveLength(2);

  renameSync(path.join(root, "backups/one.json.sealed"), path.join(root, "backups/two.json.sealed"));
  await expect(listBackups(target)).rejects.toThrow(DAMAGED);
});

test("what a stranger adds without the key is no backup", async () => {
  await makeBackup("one");
  const forged = { format: 1, id: "two", finishedAt: "2026-11-29T03:00:00.000Z" };
  writeFileSync(path.join(root, "backups/two.json"), JSON.stringify(forged));
  expect((await listBackups(target)).map(({ id }) => id)).toEqual(["one"]);
});

test("the moment up to which the log goes is read with the key", async () => {
  const at = new Date("2026-11-28T03:00:00.000Z");
  await writeUntil(target, "s", { at, location: 0x2000005n });
  expect(await readUntil(target, "s")).toEqual({ at, location: 0x2000005n });
});

function flip(bytes: Buffer, at: number): Buffer {
  bytes[at] = (bytes[at] as number) ^ 1;
  return bytes;
}
