import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { DiskReserve, RESERVE_BYTES } from "./disk-reserve.ts";
import { makeTemporaryDirectory } from "./throw-away.ts";

const MiB = 1024 * 1024;

function temporaryDirectory(): string {
  const dir = makeTemporaryDirectory("parley-reserve-");
  onTestFinished(() => rmSync(dir, { recursive: true }));
  return dir;
}

function reserveOn(room: { mib: number }) {
  const dir = temporaryDirectory();
  const file = path.join(dir, "disk-reserve");
  const reserve = new DiskReserve(dir, () => room.mib * MiB);
  onTestFinished(() => reserve.stop());
  return { reserve, file, names: () => readdirSync(dir) };
}

test("the room is kept once the disk has far more than that", async () => {
  const room = { mib: 563 };
  const { reserve, file, names } = reserveOn(room);
  await reserve.fill();
  expect(names()).toEqual([]);
  room.mib = 564;
  await reserve.fill();
  expect(statSync(file)).toMatchObject({ size: RESERVE_BYTES, mode: 0o100600 });
  expect(statSync(file).blocks * 512).toBeGreaterThanOrEqual(RESERVE_BYTES);
  // Looked at again, it is the same file.
  const { ino } = statSync(file);
  await reserve.fill();
  expect(statSync(file).ino).toBe(ino);
  expect(names()).toEqual(["disk-reserve"]);
});

test("the room is given back where the disk has less than that, and to nobody else", async () => {
  const room = { mib: 1000 };
  const { reserve, names } = reserveOn(room);
  expect(reserve.release()).toBe(false);
  await reserve.fill();
  room.mib = 64;
  expect(reserve.release()).toBe(false);
  expect(names()).toEqual(["disk-reserve"]);
  room.mib = 63;
  expect(reserve.release()).toBe(true);
  expect(names()).toEqual([]);
  expect(reserve.release()).toBe(false);
  room.mib = 400;
  await reserve.fill();
  expect(names()).toEqual([]);
});

test("a file that a crash left unfinished, or that somebody made shorter, is replaced", async () => {
  const { reserve, file, names } = reserveOn({ mib: 1000 });
  writeFileSync(`${file}.new`, "half");
  writeFileSync(file, "short");
  await reserve.fill();
  expect(names()).toEqual(["disk-reserve"]);
  expect(statSync(file).size).toBe(RESERVE_BYTES);
});

test("looks come by themselves, and a look that fails does not end them", async () => {
  const room = { mib: 0 };
  const dir = temporaryDirectory();
  let looks = 0;
  const reserve = new DiskReserve(dir, () => {
    if (++looks === 1) throw new Error("the disk does not answer");
    return room.mib * MiB;
  });
  reserve.keep(5);
  await expect.poll(() => looks).toBeGreaterThan(2);
  expect(readdirSync(dir)).toEqual([]);
  room.mib = 1000;
  await expect.poll(() => existsSync(path.join(dir, "disk-reserve"))).toBe(true);
  await reserve.stop();
});
