/** Whether a value of an archive is what its column is declared to be. */
import type { Column } from "../../administration/exports/whole/columns.ts";
import { MAX_ID } from "./head.ts";
import type { KnownIds } from "./json-values.ts";

/** Far more than any text of a message, and less than what makes a node slow. */
const MAX_TEXT = 1_000_000;
const MAX_LIST = 100_000;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?(Z|[+-]\d\d(:\d\d)?)$/;
const RANGES = /^\{(?:[[(]\d{0,16},\d{0,16}[\])](?:,(?!\}))?)*\}$/;
const UPLOAD_PATH = /^[0-9a-f]{2}\/[A-Za-z0-9_-]{24}\/[A-Za-z0-9_.-]{1,100}$/;
const UPLOAD_KEY = /^uploads\/[0-9a-f]{2}\/[A-Za-z0-9_-]{24}$/;
const PICTURE = /^[0-9a-f]{32}$/;
const EMOJI_FILE = /^[0-9A-Za-z_-]{1,100}\.(png|webp)$/;
/** What no text of the database can hold. */
const NO_TEXT = /\0|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;
/** Far more than any object of the server has, and less than what exhausts the stack. */
const MAX_DEPTH = 100;

export interface ValueRules {
  known: KnownIds;
  logHead: number;
}

/** Objects are looked at by `checkedObject`, besides. */
export function isValue(column: Column, value: unknown, rules: ValueRules): boolean {
  if (value === null) return column.isNullable;
  switch (column.kind) {
    case "id":
      return isId(value);
    case "row":
      return isRowOf(column, value, rules);
    case "rows":
      return isList(value) && value.every((id) => isRowOf(column, id, rules));
    case "recipient":
      return isId(value) && (rules.known.has("channels", value) || rules.known.has("conversations", value));
    case "position":
      return isInteger(value, 0, rules.logHead);
    case "int":
      return isInteger(value, column.min, column.max);
    case "ints":
      return isList(value) && value.every((each) => isInteger(each, -MAX_ID, MAX_ID));
    case "bool":
      return typeof value === "boolean";
    case "time":
    case "date":
      return isText(value) && TIME.test(value) && !Number.isNaN(Date.parse(value));
    case "ranges":
      return (
        isText(value) &&
        RANGES.test(value) &&
        (value.match(/\d+/g) ?? []).every((id) => Number(id) <= MAX_ID + 1)
      );
    case "text":
    case "markdown":
    case "html":
      return isText(value);
    case "path":
      return isText(value) && UPLOAD_PATH.test(value);
    case "key":
      return isText(value) && UPLOAD_KEY.test(value);
    case "picture":
      return isText(value) && PICTURE.test(value);
    case "emoji_file":
      return isText(value) && EMOJI_FILE.test(value);
    case "json":
      return typeof value === "object" && isPlainJson(value);
  }
}

function isRowOf(
  { table, mayBeGone }: { table: string; mayBeGone: boolean },
  value: unknown,
  { known, logHead }: ValueRules,
): boolean {
  if (!isId(value)) return false;
  if (!mayBeGone) return known.has(table, value);
  // A later message must not be taken for one that is gone.
  return table !== "messages" || value <= logHead;
}

function isPlainJson(value: unknown): boolean {
  return hasPlainTexts(value, MAX_DEPTH) && JSON.stringify(value).length <= MAX_TEXT;
}

/** Looks at the texts themselves: somebody may have typed what JSON writes for a character. */
function hasPlainTexts(value: unknown, depth: number): boolean {
  if (typeof value === "string") return !NO_TEXT.test(value);
  if (typeof value !== "object" || value === null) return true;
  return (
    depth > 0 &&
    Object.entries(value).every(([key, each]) => !NO_TEXT.test(key) && hasPlainTexts(each, depth - 1))
  );
}

function isId(value: unknown): value is number {
  return isInteger(value, 1, MAX_ID);
}

function isInteger(value: unknown, min: number, max: number): value is number {
  return Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max;
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value.length <= MAX_TEXT && !NO_TEXT.test(value);
}

function isList(value: unknown): value is unknown[] {
  return Array.isArray(value) && value.length <= MAX_LIST;
}
