/** Deeper than any parameter's schema, and far less than what would exhaust the stack of a reader. */
const MAX_DEPTH = 20;
/** Values in one parameter, nested ones included. */
export const MAX_VALUES = 50_000;
const LONE_SURROGATE = /\p{Surrogate}/u;

/** The flaw of a text that PostgreSQL can't store; it has an error of its own. */
export const NUL_CHARACTER = "free of NUL characters";

/**
 * What parsed JSON must be and isn't, as a text that follows "is not"; undefined if nothing is wrong with it. JSON can
 * hold what no schema speaks of and what would fail far from here: NUL characters and halves of characters (PostgreSQL
 * refuses both), integers that doubles can't hold, a `__proto__`, and more depth or items than anyone needs.
 */
export function jsonFlaw(value: unknown): string | undefined {
  switch (typeof value) {
    case "string":
      return textFlaw(value);
    case "number":
      return numberFlaw(value);
    case "object":
      return value === null ? undefined : treeFlaw(value, 1, { left: MAX_VALUES });
    default:
      return undefined;
  }
}

function treeFlaw(value: object, depth: number, budget: { left: number }): string | undefined {
  if (depth > MAX_DEPTH) return `nested at most ${MAX_DEPTH} deep`;
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
    const flaw =
      typeof child === "object" && child !== null ? treeFlaw(child, depth + 1, budget) : jsonFlaw(child);
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
