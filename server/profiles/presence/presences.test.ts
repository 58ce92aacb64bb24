import { describe, expect, test, vi } from "vitest";
import type { UserId } from "../../../api/ids.ts";
import { RawJson } from "../../platform/std/raw-json.ts";
import { NEWS_AFTER_MS, OFFLINE_AFTER_MS, Presences } from "./presences.ts";

const MINUTE = 60_000;
const START = 1_700_000_000_000;
const ids = (count: number) => Array.from({ length: count }, (_, index) => (index + 1) as UserId);
const idsOf = (presences: Iterable<{ userId: UserId }>) => [...presences].map(({ userId }) => userId).sort();

/** What the exchange does, without a database. */
function write(all: Presences, updateId: number): number {
  const taken = all.takeUnwritten(Number.POSITIVE_INFINITY);
  all.confirm(taken, updateId);
  return taken.length;
}

describe("what a client learns by its reports", () => {
  test("is who has come, and nobody twice", () => {
    const all = new Presences();
    const [one, two] = ids(2) as [UserId, UserId];
    all.report(one, true, START);
    write(all, 10);
    expect(idsOf(all.changedSince(-1))).toEqual([one]);
    all.report(two, false, START + 1000);
    expect([all.lastUpdateId, idsOf(all.changedSince(10))]).toEqual([10, []]);
    write(all, 20);
    expect([all.lastUpdateId, idsOf(all.changedSince(10)), idsOf(all.changedSince(20))]).toEqual([
      20,
      [two],
      [],
    ]);
  });

  test("is more with an older id, and nothing with one that this node does not have yet", () => {
    const all = new Presences();
    for (const [index, id] of ids(5).entries()) {
      all.report(id, true, START);
      write(all, 10 * (index + 1));
    }
    const counts = [-1, 0, 10, 15, 40, 50, 60].map((since) => idsOf(all.changedSince(since)).length);
    expect(counts).toEqual([5, 5, 4, 4, 1, 0, 0]);
  });

  test("keeps each person's times newer than the limit after which clients show them as offline", () => {
    // The worst order: each person reports just after a client has asked, and batches come last.
    for (const phase of [0, 1, 1999, 2000, 30_000, 59_999]) {
      const all = new Presences();
      const [person] = ids(1) as [UserId];
      let since = -1;
      let known = 0;
      for (let now = START; now < START + 30 * MINUTE; now += 1) {
        const elapsed = now - START;
        if (elapsed % MINUTE === phase) all.report(person, true, now);
        if (elapsed % 2000 === 1999) write(all, now);
        if (elapsed % MINUTE === 0 && elapsed > 2 * MINUTE) {
          if (known > 0) expect(now - known).toBeLessThan(OFFLINE_AFTER_MS);
          for (const { activeAt } of all.changedSince(since)) known = activeAt;
          since = all.lastUpdateId;
        }
      }
      expect(known).toBeGreaterThan(START + 25 * MINUTE);
    }
  });
});

describe("10,000 people who are there", () => {
  test("cost each report half of them at most, and each batch only what was reported since the last", () => {
    const all = new Presences();
    const people = ids(10_000);
    const records: number[] = [];
    const written: number[] = [];
    /** The newest id at the last report of each of some clients. */
    const lastIds = new Map<UserId, number>();
    for (let second = 0; second < 10 * 60; second++) {
      const now = START + second * 1000;
      for (let index = second % 60; index < people.length; index += 60) {
        const id = people[index] as UserId;
        all.report(id, index % 3 > 0, now);
        if (index % 500 !== second % 60) continue;
        const since = lastIds.get(id) ?? -1;
        if (since >= 0 && second > 300) records.push([...all.changedSince(since)].length);
        lastIds.set(id, all.lastUpdateId);
      }
      if (second % 2 === 1) written.push(write(all, now));
    }
    expect(records.length).toBeGreaterThan(50);
    const mean = records.reduce((sum, count) => sum + count, 0) / records.length;
    expect(mean).toBeGreaterThan(4000);
    expect(mean).toBeLessThan(5200);
    expect(Math.max(...records)).toBeLessThan(5800);
    expect(Math.max(...written.slice(150))).toBeLessThan(400);
  });

  test("give clients that ask after the same batch one answer, made once", () => {
    const all = new Presences();
    for (const id of ids(10_000)) all.report(id, true, START);
    write(all, 10);
    let made = 0;
    const ask = (key: string, now: number) =>
      all.answer(
        key,
        () => {
          made++;
          return new RawJson("{}");
        },
        now,
      );
    for (let count = 0; count < 300; count++) ask(`${count % 3}`, START);
    expect(made).toBe(3);
    ask("0", START + 2001);
    expect(made).toBe(4);
    // A report of somebody who is there is no news, and somebody who comes is.
    all.report(1 as UserId, true, START + 2002);
    ask("0", START + 2003);
    expect(made).toBe(4);
    all.report(20_000 as UserId, true, START + 2004);
    ask("0", START + 2005);
    expect(made).toBe(5);
  });

  test("keep no more answers than a limit of text", () => {
    const all = new Presences();
    const make = () => new RawJson("x".repeat(1_000_000));
    for (let count = 0; count < 100; count++) all.answer(`${count}`, make, START);
    const again = vi.fn(make);
    for (let count = 99; count >= 0; count--) all.answer(`${count}`, again, START);
    // Some of the last ones were kept, and most were made again.
    expect(again.mock.calls.length).toBeLessThan(100);
    expect(again.mock.calls.length).toBeGreaterThanOrEqual(100 - 16);
  });
});

describe("a report", () => {
  test("says whether the person was offline before", () => {
    const all = new Presences();
    const [id] = ids(1) as [UserId];
    expect(all.report(id, true, START)).toBe(true);
    expect(all.report(id, false, START + MINUTE)).toBe(false);
    expect(all.report(id, false, START + MINUTE + OFFLINE_AFTER_MS - 1)).toBe(false);
    expect(all.report(id, false, START + 2 * MINUTE + 2 * OFFLINE_AFTER_MS)).toBe(true);
  });

  test("is written again only when it is news", () => {
    const all = new Presences();
    const countsOf = (id: number) =>
      [0, MINUTE, NEWS_AFTER_MS - 1, NEWS_AFTER_MS, 3 * MINUTE].map((after) => {
        all.report(id as UserId, true, START + after);
        return write(all, START + after);
      });
    expect(countsOf(2)).toEqual([1, 0, 0, 1, 0]);
    // Half of those who come are written again a minute later, so that not all are written at the same time.
    expect(countsOf(3)).toEqual([1, 1, 0, 0, 1]);
  });

  test("of somebody idle who becomes active is written at once", () => {
    const all = new Presences();
    const [id] = ids(1) as [UserId];
    all.report(id, false, START);
    expect(write(all, 10)).toBe(1);
    all.report(id, true, START + 1000);
    expect(write(all, 20)).toBe(1);
  });

  test("whose batch failed is in the next one", () => {
    const all = new Presences();
    for (const id of ids(3)) all.report(id, true, START);
    const taken = all.takeUnwritten(2);
    expect(taken).toHaveLength(2);
    all.putBack(taken);
    expect(write(all, 10)).toBe(3);
  });
});

describe("a clock that was wrong", () => {
  const [person, other] = ids(2) as [UserId, UserId];
  const DAY = 24 * 60 * MINUTE;

  test("keeps nobody there after it was set back, and who reports again is back", () => {
    const all = new Presences();
    all.report(other, true, START);
    all.report(person, true, START + DAY);
    write(all, 10);
    expect(all.find(person, START + MINUTE)).toBeUndefined();
    expect(all.find(other, START + MINUTE)).toMatchObject({ connectedAt: START });
    expect(all.report(person, false, START + MINUTE)).toBe(true);
    expect(all.find(person, START + MINUTE)).toMatchObject({ activeAt: 0, connectedAt: START + MINUTE });
    expect(write(all, 20)).toBe(1);
  });

  test("of another node makes its people be there when they were written", () => {
    const all = new Presences();
    const row = { userId: person, activeAt: START + DAY, connectedAt: START + DAY, updateId: 10 };
    all.add([row], START);
    expect(all.find(person, START)).toMatchObject({ activeAt: START, connectedAt: START });
    expect(all.report(person, true, START + OFFLINE_AFTER_MS)).toBe(true);
  });

  test("that is a little ahead changes nothing", () => {
    const all = new Presences();
    all.add([{ userId: person, activeAt: START + 2000, connectedAt: START + 2000, updateId: 10 }], START);
    expect(all.find(person, START)).toMatchObject({ activeAt: START + 2000 });
    expect(all.report(person, true, START)).toBe(false);
  });
});
