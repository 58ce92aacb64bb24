import { expect, test } from "vitest";
import { lastDue, nextDue, parseInterval, parseTimes, periodMs } from "./times.ts";

const HOUR_MS = 3600 * 1000;
/** By the machine's clock, as the times are. */
const at = (day: number, hour: number, minute = 0) => new Date(2026, 10, day, hour, minute);

test.each([
  ["03:00", [180]],
  ["3:05", [185]],
  ["15:30, 03:00,03:00", [180, 930]],
  ["off", []],
])("reads %s", (text, times) => {
  expect(parseTimes(text)).toEqual(times);
});

test.each(["", "24:00", "3", "03:60", "daily", "03:00;15:00", "03:00,off"])("refuses '%s'", (text) => {
  expect(() => parseTimes(text)).toThrow(
    `'${text}' does not say when backups are made. Write it as 03:00, as 03:00,15:00 with up to 24 times, or as off.`,
  );
});

test("one a day is due at its time, and was due yesterday before it", () => {
  const times = parseTimes("03:00");
  expect(lastDue(times, at(28, 2, 59))).toEqual(at(27, 3));
  expect(lastDue(times, at(28, 3))).toEqual(at(28, 3));
  expect(nextDue(times, at(28, 2, 59))).toEqual(at(28, 3));
  expect(nextDue(times, at(28, 3))).toEqual(at(29, 3));
  expect(periodMs(times)).toBe(24 * HOUR_MS);
});

test("several a day are due in turn, and the longest gap between them is the period", () => {
  const times = parseTimes("22:00,06:00");
  expect(lastDue(times, at(28, 5))).toEqual(at(27, 22));
  expect(lastDue(times, at(28, 21))).toEqual(at(28, 6));
  expect(nextDue(times, at(28, 21))).toEqual(at(28, 22));
  expect(nextDue(times, at(30, 23))).toEqual(new Date(2026, 11, 1, 6));
  expect(periodMs(times)).toBe(16 * HOUR_MS);
});

test("without times none is due, and the period is a day", () => {
  expect([lastDue([], at(28, 5)), nextDue([], at(28, 5)), periodMs([])]).toEqual([
    undefined,
    undefined,
    24 * HOUR_MS,
  ]);
});

test.each([
  ["24h", 24],
  ["90m", 1.5],
  ["7d", 168],
])("reads the interval %s", (text, hours) => {
  expect(parseInterval(text)).toEqual({ everyMs: hours * HOUR_MS });
});

test.each(["", "24", "9m", "32d", "0h", "1w", "-1h", "1.5h", "24h "])("refuses the interval '%s'", (text) => {
  expect(() => parseInterval(text)).toThrow(`'${text}' does not say how often backups are made.`);
});

test("an interval is counted from midnight of UTC", () => {
  const times = parseInterval("6h");
  const now = new Date("2026-11-28T13:20:00Z");
  expect(lastDue(times, now)).toEqual(new Date("2026-11-28T12:00:00Z"));
  expect(nextDue(times, now)).toEqual(new Date("2026-11-28T18:00:00Z"));
  expect(nextDue(times, new Date("2026-11-28T18:00:00Z"))).toEqual(new Date("2026-11-29T00:00:00Z"));
  expect(periodMs(times)).toBe(6 * HOUR_MS);
});
