/** Deeper than any parameter's schema, and far less than what would exhaust a parser's stack. */
export const MAX_DEPTH = 20;
/** The most values in one parameter, nested ones included. */
export const MAX_VALUES = 50_000;
const LONE_SURROGATE = /\p{Surrogate}/u;

/** The flaw of a text with a NUL, which PostgreSQL can't store. It has an error of its own. */
export const NUL_CHARACTER = "free of NUL characters";

/** The flaw of JSON for which `isTooDeep` is true. */
export const TOO_DEEP = `nested at most ${MAX_DEPTH} deep`;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const BRACKET = 0x5b;
const CLOSING_BRACKET = 0x5d;
const BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;

/** Checks a text before it is parsed. To parse a hundred thousand brackets takes a hundred times as long. */
export function isTooDeep(text: string, limit = MAX_DEPTH): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === BRACKET || code === BRACE) depth++;
    else if (code === CLOSING_BRACKET || code === CLOSING_BRACE) depth--;
    else if (code === QUOTE) at = endOfString(text, at);
    if (depth > limit) return true;
  }
  return false;
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1;
  return at;
}

/**
 * Describes what is wrong with parsed JSON, as a text that follows "is not". Returns undefined if it has no
 * flaw.
 *
 * JSON can hold values that no schema excludes and that would fail elsewhere. These are NUL characters and
 * lone surrogates (PostgreSQL refuses both), integers that a double can't hold, a `__proto__`, and too many
 * items. The depth was checked before (`isTooDeep`).
 */
export function jsonFlaw(value: unknown): string | undefined {
  switch (typeof value) {
    case "string":
      return textFlaw(value);
    case "number":
      return numberFlaw(value);
    case "object":
      return value === null ? undefined : treeFlaw(value, { left: MAX_VALUES });
    default:
      return undefined;
  }
}

function treeFlaw(value: object, budget: { left: number }): string | undefined {
  const isList = Array.isArray(value);
  const names = isList ? undefined : Object.keys(value);
  const children: unknown[] = isList ? value : Object.values(value);
  budget.left -= children.length;
  if (budget.left < 0) return `a value of at most ${MAX_VALUES} items`;
  for (const name of names ?? []) {
    if (name === "__proto__") return "free of reserved names";
    const flaw = textFlaw(name);
    if (flaw) return flaw;
  }
  for (const child of children) {
    const flaw = typeof child === "object" && child !== null ? treeFlaw(child, budget) : jsonFlaw(child);
    if (flaw) return flaw;
  }
  return undefined;
}

function textFlaw(text: string): string | undefined {
  if (text.includes("\0")) return NUL_CHARACTER;
  return LONE_SURROGATE.test(text) ? "well-formed Unicode text" : undefined;
}

function numberFlaw(value: number): string | undefined {
  if (!Number.isFinite(value)) return "a number of a reasonable size";
  return Number.isInteger(value) && !Number.isSafeInteger(value)
    ? "an integer of a reasonable size"
    : undefined;
}
