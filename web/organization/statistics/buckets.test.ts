import { describe, expect, test } from "vitest";
import { getStatistics } from "../../../api/administration/statistics.ts";
import { bucketsOf, type Day, lastOf, sumOf, topOf } from "./buckets.ts";

const sample = getStatistics.example.reply.days[0] as Day;

function daysTo(last: string, count: number, change: (index: number) => Partial<Day> = () => ({})): Day[] {
  return Array.from({ length: count }, (_, index) => {
    const at = new Date(Date.parse(`${last}T00:00:00Z`) - (count - 1 - index) * 24 * 3600 * 1000);
    return { ...sample, day: at.toISOString().slice(0, 10), ...change(index) };
  });
}

describe("bars of a chart", () => {
  test("are weeks that end with the last day, whatever day of the week that is", () => {
    const weeks = bucketsOf(daysTo("2026-03-04", 14), "week");
    expect(weeks.map(({ from, to }) => [from, to])).toEqual([
      ["2026-02-19", "2026-02-25"],
      ["2026-02-26", "2026-03-04"],
    ]);
  });

  test("are months of the calendar, of which the first may be a part", () => {
    const months = bucketsOf(daysTo("2026-03-02", 31), "month");
    expect(months.map(({ from, to, days }) => [from, to, days.length])).toEqual([
      ["2026-01-31", "2026-01-31", 1],
      ["2026-02-01", "2026-02-28", 28],
      ["2026-03-01", "2026-03-02", 2],
    ]);
  });

  test("add up what happened, and have the last state that somebody noted", () => {
    const [week] = bucketsOf(
      daysTo("2026-03-04", 7, (index) => ({
        direct_messages: index,
        upload_bytes: index < 5 ? index * 10 : null,
      })),
      "week",
    );
    if (!week) throw new Error("there is a week");
    expect(sumOf(week, ({ direct_messages }) => direct_messages)).toBe(21);
    expect(lastOf(week, ({ upload_bytes }) => upload_bytes)).toBe(40);
    expect(lastOf(week, () => null)).toBeNull();
  });
});

test("a list has the largest ones, and one line for the rest", () => {
  expect(topOf([3, 9, 1, 5], 2, (one) => one)).toEqual({ top: [9, 5], others: 2, rest: 4 });
  expect(topOf([], 2, (one: number) => one)).toEqual({ top: [], others: 0, rest: 0 });
});
