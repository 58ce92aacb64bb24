import { expect, test } from "vitest";
import type { Position } from "../../../api/ids.ts";
import { type LogEntry, logEntry, nobody } from "./log-entry.ts";
import { RecentEntries, RecentShare, sizeOf } from "./recent-entries.ts";

const LENGTH = 10_000;
const MEBI = 2 ** 20;

function entryAt(position: number, length = LENGTH): LogEntry {
  return logEntry(position as Position, { type: "message", content: "x".repeat(length) }, nobody);
}

function fill(recent: RecentEntries, positions: readonly number[], length = LENGTH): void {
  for (const position of positions) {
    recent.add(entryAt(position, length));
    recent.trim();
  }
}

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);
const positionsOf = (entries: readonly LogEntry[] | undefined) => entries?.map(({ position }) => position);
const at = (position: number) => position as Position;

test("short entries are bounded by their count, and the newest stay", () => {
  const recent = new RecentEntries(at(0), new RecentShare());
  fill(recent, range(1, 10_000), 10);
  expect(recent.all.length).toBeGreaterThanOrEqual(2048);
  expect(recent.all.length).toBeLessThan(4096);
  expect(recent.all.at(-1)?.position).toBe(10_000);
  expect(recent.all[0]?.position).toBe(recent.after + 1);
});

test("long entries are bounded by the size of their texts, and the newest stay", () => {
  const recent = new RecentEntries(at(0), new RecentShare());
  fill(recent, range(1, 3000), 100_000);
  expect(recent.size).toBeLessThanOrEqual(16 * MEBI);
  expect(recent.size).toBeGreaterThan(10 * MEBI);
  expect(recent.all.at(-1)?.position).toBe(3000);
  expect(recent.all[0]?.position).toBe(recent.after + 1);
});

test("an entry that is longer than all may be is not kept", () => {
  const recent = new RecentEntries(at(0), new RecentShare());
  fill(recent, [1, 2]);
  fill(recent, [3], 17 * MEBI);
  expect([recent.all.length, recent.size, recent.after]).toEqual([0, 0, 3]);
  fill(recent, [4]);
  expect(positionsOf(recent.between(at(3), at(4), 10))).toEqual([4]);
});

test("the size of an entry has its texts at all depths, and each form that queues got", () => {
  const payload = { type: "message", message: { content: "x".repeat(LENGTH), tags: ["y".repeat(LENGTH)] } };
  const entry = logEntry(at(1), payload, { to: "users", userIds: range(1, 100) });
  const plain = sizeOf(entry);
  expect(plain).toBeGreaterThan(2 * LENGTH + 800);
  expect(plain).toBeLessThan(2 * LENGTH + 2000);
  // The second form, while no queue has asked for the first.
  entry.variants[1] = { position: at(1), json: "z".repeat(LENGTH) };
  entry.rareVariants = new Map([["starred", { position: at(1), json: "z".repeat(LENGTH) }]]);
  expect(sizeOf(entry)).toBe(plain + 2 * LENGTH);
});

test("entries between two positions come from memory as far as it goes back", () => {
  const recent = new RecentEntries(at(10), new RecentShare(), { entries: 100, size: 4 * LENGTH });
  fill(recent, [11, 13, 17]);
  expect(positionsOf(recent.between(at(10), at(17), 10))).toEqual([11, 13, 17]);
  expect(positionsOf(recent.between(at(12), at(16), 10))).toEqual([13]);
  expect(positionsOf(recent.between(at(10), at(17), 2))).toEqual([11, 13]);
  expect(recent.between(at(9), at(17), 10)).toBeUndefined();
  fill(recent, [18, 19]);
  expect(recent.after).toBeGreaterThan(10);
  expect(recent.between(at(10), at(19), 10)).toBeUndefined();
  expect(positionsOf(recent.between(at(18), at(19), 10))).toEqual([19]);
});

test("organizations share a bound, and the one that got an entry longest ago loses its entries", () => {
  const share = new RecentShare(10 * LENGTH);
  const [old, busy, third] = range(1, 3).map(() => new RecentEntries(at(0), share)) as [
    RecentEntries,
    RecentEntries,
    RecentEntries,
  ];
  fill(busy, [1, 2]);
  fill(old, [1, 2]);
  fill(busy, [3, 4]);
  fill(third, [1, 2, 3, 4]);
  expect(positionsOf(old.all)).toEqual([]);
  expect(old.between(at(0), at(2), 10)).toBeUndefined();
  expect(positionsOf(busy.all)).toEqual([1, 2, 3, 4]);
  expect(positionsOf(third.all)).toEqual([1, 2, 3, 4]);
  expect(share.size).toBe(busy.size + third.size);
  // An organization that lost its entries gathers new ones.
  fill(old, [3]);
  expect(positionsOf(old.between(at(2), at(3), 10))).toEqual([3]);
});

test("an organization alone keeps what it may, also if the others' bound is lower", () => {
  const share = new RecentShare(3 * LENGTH);
  const recent = new RecentEntries(at(0), share);
  fill(recent, range(1, 5));
  expect(positionsOf(recent.all)).toEqual(range(1, 5));
  recent.clear();
  expect([share.size, recent.size, recent.after]).toEqual([0, 0, 5]);
});
