import type { Row } from "../archive/row.ts";

/** The end of the year 9999. */
const MAX_TIME = 253_402_300_799_999;

/** Milliseconds; undefined for 0, which means none, and for what is no date of our era. */
export function timeIn(row: Row, field: string): number | undefined {
  const value = row[field];
  return typeof value === "number" && value > 0 && value <= MAX_TIME ? Math.floor(value) : undefined;
}
