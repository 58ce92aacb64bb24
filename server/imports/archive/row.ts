/** Fields of records of which nothing is sure: a field may be missing, null or of another type. */

export type Row = Record<string, unknown>;

export function isRow(value: unknown): value is Row {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const HALF_PAIR = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** The id, as a text; undefined if there is none. */
export function idOf(row: Row, field: string): string | undefined {
  const value = row[field];
  return Number.isSafeInteger(value) && (value as number) > 0 ? String(value) : undefined;
}

export function numberOf(row: Row, field: string): number | undefined {
  const value = row[field];
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

export function textOf(row: Row, field: string): string | undefined {
  const value = row[field];
  // PostgreSQL has no NUL, and a half of a pair has no UTF-8.
  // The others are for references, see texts/references.ts.
  return typeof value === "string"
    ? value.replace(/[\0\ufdd0\ufdd1]/g, "").replace(HALF_PAIR, "\ufffd")
    : undefined;
}

export function flagOf(row: Row, field: string): boolean {
  return row[field] === true;
}

/** true, false, or null where nothing is chosen. */
export function choiceOf(row: Row, field: string): boolean | null {
  const value = row[field];
  return typeof value === "boolean" ? value : null;
}

const MAX_SECONDS = 253_402_300_799;

/** A time in seconds as milliseconds; undefined for none, and for one that is no date of our era. */
export function millisecondsOf(row: Row, field: string): number | undefined {
  const value = row[field];
  if (typeof value === "number" && value >= 0 && value <= MAX_SECONDS) return Math.round(value * 1000);
  return undefined;
}

export function dateOf(row: Row, field: string): Date | undefined {
  const time = millisecondsOf(row, field);
  return time === undefined ? undefined : new Date(time);
}
