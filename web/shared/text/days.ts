/** Days of the person's own time zone, which have 23 or 25 hours twice a year. */

const HOUR_MS = 3_600_000;

/** The midnight before the moment, both in milliseconds. */
export function startOfDay(ms: number): number {
  return new Date(ms).setHours(0, 0, 0, 0);
}

/** `day`: its midnight. */
export function dayBefore(day: number): number {
  return startOfDay(day - 12 * HOUR_MS);
}

/** `day`: its midnight. */
export function dayAfter(day: number): number {
  return startOfDay(day + 36 * HOUR_MS);
}
