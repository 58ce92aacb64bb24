import { MAX_AUDIT_LIST, MAX_AUDIT_TEXT_LENGTH } from "../../../api/limits.ts";

export type AuditValue =
  | null
  | boolean
  | number
  | string
  | readonly AuditValue[]
  | { readonly [name: string]: AuditValue };

/** A field's value before and after; absent where there was or is none. */
export interface AuditChange {
  old?: AuditValue;
  new?: AuditValue;
}

/** The changed fields, by the names that they have in the API. */
export type AuditChanges = Readonly<Record<string, AuditChange>>;

/** undefined: the thing has no such field. */
type Fields = Readonly<Record<string, AuditValue | undefined>>;

/** The fields of two forms of a thing that are different. An empty form: the thing is made or removed. */
export function changesBetween(before: Fields, after: Fields): AuditChanges {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  const different = [...names].filter((name) => !isSame(before[name], after[name]));
  return Object.fromEntries(
    different.map((name) => {
      const [old, next] = [before[name], after[name]];
      return [name, { ...(old !== undefined && { old }), ...(next !== undefined && { new: next }) }];
    }),
  );
}

/** The same changes with short texts and lists, so that one entry can't fill the table. */
export function boundChanges(changes: AuditChanges): AuditChanges {
  return Object.fromEntries(
    Object.entries(changes).map(([name, { old, new: next }]) => [
      name,
      { ...(old !== undefined && { old: bound(old) }), ...(next !== undefined && { new: bound(next) }) },
    ]),
  );
}

function bound(value: AuditValue): AuditValue {
  if (typeof value === "string") return boundText(value);
  if (value === null || typeof value !== "object") return value;
  if (isList(value)) {
    const first = value.slice(0, MAX_AUDIT_LIST).map(bound);
    return value.length > MAX_AUDIT_LIST ? { count: value.length, first } : first;
  }
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, bound(part)]));
}

/** Counted in code points: half a surrogate pair is no text that the database can store. */
function boundText(text: string): string {
  if (text.length <= MAX_AUDIT_TEXT_LENGTH) return text;
  const characters = [...text];
  if (characters.length <= MAX_AUDIT_TEXT_LENGTH) return text;
  return `${characters.slice(0, MAX_AUDIT_TEXT_LENGTH).join("")}…`;
}

/** `Array.isArray` does not know read-only lists. */
function isList(value: AuditValue): value is readonly AuditValue[] {
  return Array.isArray(value);
}

function isSame(one: AuditValue | undefined, other: AuditValue | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
