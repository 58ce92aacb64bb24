import { parse } from "fast-querystring";

/**
 * The named texts of a query or a form body; a name that was given more than once has the list of its texts. Made without
 * a prototype, so any name, `__proto__` included, is only a name.
 */
export type Fields = Record<string, string | string[]>;

/** More names than any endpoint could have: a form with more is not worth reading. */
export const MAX_FIELDS = 1000;

/**
 * Reads `a=1&b=2`. What is not valid percent-encoding stays as it was written. Undefined: more than MAX_FIELDS fields.
 */
export function parseForm(text: string): Fields | undefined {
  // A separator takes one character, so a short text can't have too many.
  if (text.length > MAX_FIELDS && countSeparators(text) >= MAX_FIELDS) return undefined;
  return parse(text);
}

/** The last one counts, as upstream. */
export function lastText(value: string | string[]): string {
  return typeof value === "string" ? value : (value[value.length - 1] as string);
}

export function noFields(): Fields {
  return Object.create(null) as Fields;
}

function countSeparators(text: string): number {
  let count = 0;
  for (let at = text.indexOf("&"); at !== -1 && count < MAX_FIELDS; at = text.indexOf("&", at + 1)) count++;
  return count;
}
