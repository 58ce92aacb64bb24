/** When backups are due: times of the day by the machine's clock, since nights are quiet where people are. */
import { BackupError } from "./target.ts";

/**
 * Minutes since midnight, in order, or an interval that is counted from midnight of UTC on 1 January 1970.
 * Empty: the server makes no backups by itself.
 */
export type Times = readonly number[] | Interval;

export interface Interval {
  everyMs: number;
}

export const DEFAULT_TIMES: Times = [3 * 60];
const MAX_TIMES = 24;
const DAY_MINUTES = 24 * 60;
const MINUTE_MS = 60_000;
const UNIT_MS: Readonly<Record<string, number>> = {
  m: MINUTE_MS,
  h: 60 * MINUTE_MS,
  d: DAY_MINUTES * MINUTE_MS,
};
const [MIN_EVERY_MS, MAX_EVERY_MS] = [10 * MINUTE_MS, 31 * DAY_MINUTES * MINUTE_MS];

/** Reads times such as `03:00` or `03:00,15:00`, or `off`. Throws a BackupError with a sentence. */
export function parseTimes(text: string): Times {
  if (text.trim() === "off") return [];
  const times = text.split(",").map((part) => {
    const [, hours = "", minutes = ""] = /^\s*([01]?\d|2[0-3]):([0-5]\d)\s*$/.exec(part) ?? [];
    return hours === "" ? Number.NaN : Number(hours) * 60 + Number(minutes);
  });
  const sorted = [...new Set(times)].sort((a, b) => a - b);
  if (sorted.length > MAX_TIMES || sorted.some(Number.isNaN))
    throw new BackupError(
      "setting-wrong",
      `'${text}' does not say when backups are made. Write it as 03:00, as 03:00,15:00 with up to ${MAX_TIMES} times, or as off.`,
    );
  return sorted;
}

/** Reads an interval such as `24h`, `30m` or `7d`. Throws a BackupError with a sentence. */
export function parseInterval(text: string): Interval {
  const [, count = "", unit = ""] = /^(\d{1,5})([mhd])$/.exec(text) ?? [];
  const everyMs = Number(count) * (UNIT_MS[unit] ?? 0);
  if (everyMs >= MIN_EVERY_MS && everyMs <= MAX_EVERY_MS) return { everyMs };
  throw new BackupError(
    "setting-wrong",
    `'${text}' does not say how often backups are made. Write it as 24h, 30m or 7d, from 10m to 31d.`,
  );
}

/** The last moment at which a backup was due. undefined: none is ever due. */
export function lastDue(times: Times, now: Date): Date | undefined {
  if (isInterval(times)) return new Date(now.getTime() - (now.getTime() % times.everyMs));
  const moments = [-1, 0].flatMap((days) => momentsOf(times, now, days));
  return moments.filter((moment) => moment <= now).at(-1);
}

/** The first moment after now at which a backup is due. undefined: none is ever due. */
export function nextDue(times: Times, now: Date): Date | undefined {
  if (isInterval(times)) return new Date(now.getTime() - (now.getTime() % times.everyMs) + times.everyMs);
  const moments = [0, 1].flatMap((days) => momentsOf(times, now, days));
  return moments.find((moment) => moment > now);
}

/** The longest time between two that are due. Without times, a day: then other programs make them. */
export function periodMs(times: Times): number {
  if (isInterval(times)) return times.everyMs;
  const gaps = times.map((time, index) => {
    const next = times[index + 1] ?? (times[0] as number) + DAY_MINUTES;
    return next - time;
  });
  return Math.max(...(gaps.length > 0 ? gaps : [DAY_MINUTES])) * MINUTE_MS;
}

function isInterval(times: Times): times is Interval {
  return "everyMs" in times;
}

/** A time that a day lacks, since its clock was put forward, is taken an hour later. */
function momentsOf(times: readonly number[], now: Date, days: number): Date[] {
  return times.map(
    (time) =>
      new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, Math.floor(time / 60), time % 60),
  );
}
