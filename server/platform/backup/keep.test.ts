import { rmSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { makeTemporaryDirectory } from "../postgres/throw-away.ts";
import { DirectoryTarget } from "./directory-target.ts";
import { chooseKept, deleteOldBackups } from "./keep.ts";
import { parseKeepRule } from "./keep-rule.ts";
import { claimTarget, listBackups, type Manifest, writeManifest } from "./manifest.ts";
import { listPieces, PieceWriter, readPieces } from "./pieces.ts";

const at = (finishedAt: string) => ({ id: finishedAt, finishedAt });
/** Two a day, the oldest first, up to the Saturday of 28 November 2026. */
const daily = Array.from({ length: 200 }, (_, index) =>
  at(new Date(Date.UTC(2026, 10, 28, 20) - (199 - index) * 12 * 3600_000).toISOString()),
);
const kept = (rule: string) =>
  chooseKept(daily, parseKeepRule(rule)).map(({ finishedAt }) => finishedAt.slice(0, 13));

test("the newest backup of each day, week and month stays", () => {
  expect(kept("3d")).toEqual(["2026-11-26T20", "2026-11-27T20", "2026-11-28T20"]);
  expect(kept("1d,3w")).toEqual(["2026-11-15T20", "2026-11-22T20", "2026-11-28T20"]);
  expect(kept("3m")).toEqual(["2026-09-30T20", "2026-10-31T20", "2026-11-28T20"]);
});

test("the newest backup stays, however old it is, and days without one do not count", () => {
  expect(chooseKept([at("2020-01-01T00:00:00Z")], parseKeepRule("1d"))).toHaveLength(1);
  const sparse = ["2026-01-05T03:00:00Z", "2026-05-05T03:00:00Z", "2026-11-05T03:00:00Z"].map(at);
  expect(chooseKept(sparse, parseKeepRule("2d"))).toEqual(sparse.slice(1));
  expect(chooseKept([], parseKeepRule("2d"))).toEqual([]);
});

test.each(["", "7", "d", "0d", "7d,", "7y", "-1d", "7d 4w"])("'%s' is no rule", (text) => {
  expect(() => parseKeepRule(text)).toThrow("Write it as 7d,4w,6m");
});

test("with a backup go the pieces that no other one has", async () => {
  const dir = makeTemporaryDirectory("parley-keep-");
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const target = new DirectoryTarget(dir);
  await claimTarget(target, "1");
  await keepBackup(target, "2026-11-26T20:00:00.000Z", ["shared", "old"]);
  await keepBackup(target, "2026-11-27T20:00:00.000Z", ["shared", "new"]);
  const before = (await all(listPieces(target))).length;

  expect(await deleteOldBackups(target, parseKeepRule("2d"))).toEqual([]);
  expect(await deleteOldBackups(target, parseKeepRule("1d"))).toEqual(["2026-11-26T20:00:00.000Z"]);
  const [newest] = await listBackups(target);
  expect(newest?.id).toBe("2026-11-27T20:00:00.000Z");
  // The old piece, and the list of its backup.
  expect((await all(listPieces(target))).length).toBe(before - 2);
  const list = JSON.parse(
    Buffer.concat(await all(readPieces(target, newest?.files.pieces as string[]))).toString(),
  );
  expect(Buffer.concat(await all(readPieces(target, list.pieces))).toString()).toBe("sharednew");
});

async function keepBackup(target: DirectoryTarget, id: string, texts: string[]): Promise<void> {
  const writer = new PieceWriter(target);
  const add = async (text: string) => writer.add(bytesOf(text));
  const pieces = (await Promise.all(texts.map(add))).flat();
  const files = {
    count: 1,
    bytes: 0,
    pieces: await add(`${JSON.stringify({ key: "1/a", size: 0, pieces })}\n`),
  };
  await writer.finish();
  const database = { count: 0, bytes: 0, pieces: [] };
  await writeManifest(target, { id, finishedAt: id, database, files } as unknown as Manifest);
}

async function* bytesOf(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text);
}

async function all<T>(values: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const value of values) found.push(value);
  return found;
}
