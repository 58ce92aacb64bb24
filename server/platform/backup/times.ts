/** When backups are due: times of the day by the machine's clock, since nights are quiet where people are. */
import { BackupError } from "./target.ts";

/** Minutes since midnight, in order. Empty: the server makes no backups by itself. */
export type Times = readonly number[];

export const DEFAULT_TIMES: Times = [3 * 60];
const MAX_TIMES = 24;
const DAY_MINUTES = 24 * 60;
const MINUTE_MS = 60_000;

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
      `'${text}' does not say when backups are made. Write it as 03:00, as 03:00,15:00 with up to ${MAX_TIMES} times, or as off.`,
    );
  return sorted;
}

/** The last moment at which a backup was due. undefined: none is ever due. */
export function lastDue(times: Times, now: Date): Date | undefined {
  const moments = [-1, 0].flatMap((days) => momentsOf(times, now, days));
  return moments.filter((moment) => moment <= now).at(-1);
}

/** The first moment after now at which a backup is due. undefined: none is ever due. */
export function nextDue(times: Times, now: Date): Date | undefined {
  const moments = [0, 1].flatMap((days) => momentsOf(times, now, days));
  return moments.find((moment) => moment > now);
}

/** The longest time between two that are due. Without times, a day: then other programs make them. */
export function periodMs(times: Times): number {
  const gaps = times.map((time, index) => {
    const next = times[index + 1] ?? (times[0] as number) + DAY_MINUTES;
    return next - time;
  });
  return Math.max(...(gaps.length > 0 ? gaps : [DAY_MINUTES])) * MINUTE_MS;
}

/** A time that a day lacks, since its clock was put forward, is taken an hour later. */
function momentsOf(times: Times, now: Date, days: number): Date[] {
  return times.map(
    (time) =>
      new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, Math.floor(time / 60), time % 60),
  );
}
