/** Days of statistics, joined to those of a chart. */
import type { StatisticsDayRecord } from "../../../api/administration/statistics.ts";

export type Day = StatisticsDayRecord;

/** `days`: as many as the call gives. Weeks end with the last day, and months are those of the calendar. */
export const ranges = {
  days: { days: 28, joinedBy: "day" },
  weeks: { days: 84, joinedBy: "week" },
  months: { days: 365, joinedBy: "month" },
} as const;

export type Range = keyof typeof ranges;

/** Days that are one bar. */
export interface Bucket {
  from: string;
  to: string;
  days: readonly Day[];
}

const WEEK_DAYS = 7;

export function bucketsOf(days: readonly Day[], joinedBy: "day" | "week" | "month"): Bucket[] {
  const groups = new Map<string, Day[]>();
  for (const [index, day] of days.entries()) {
    const key = {
      day: day.day,
      week: String(Math.floor((days.length - 1 - index) / WEEK_DAYS)),
      month: day.day.slice(0, "2026-01".length),
    }[joinedBy];
    const group = groups.get(key) ?? [];
    group.push(day);
    groups.set(key, group);
  }
  return [...groups.values()].map((group) => ({
    from: group[0]?.day ?? "",
    to: group.at(-1)?.day ?? "",
    days: group,
  }));
}

export function sumOf({ days }: Bucket, figure: (day: Day) => number): number {
  return days.reduce((sum, day) => sum + figure(day), 0);
}

/** A figure as it was last in these days; null if nobody noted it. */
export function lastOf({ days }: Bucket, figure: (day: Day) => number | null): number | null {
  for (let index = days.length - 1; index >= 0; index--) {
    const value = figure(days[index] as Day);
    if (value !== null) return value;
  }
  return null;
}

/** The largest ones, the largest first, and how much the others have together. */
export function topOf<T>(all: readonly T[], limit: number, amount: (one: T) => number) {
  const sorted = [...all].sort((a, b) => amount(b) - amount(a));
  const rest = sorted.slice(limit);
  return {
    top: sorted.slice(0, limit),
    others: rest.length,
    rest: rest.reduce((sum, one) => sum + amount(one), 0),
  };
}
