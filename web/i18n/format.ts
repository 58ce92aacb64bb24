/**
 * Fills in a text of a catalogue, which is written as ICU messages are: `{name}`,
 * `{count, plural, =0 {nothing} one {# item} other {# items}}` and `{kind, select, a {…} other {…}}`, one
 * in another as they like. `#+` is a count as `shortCount` writes it.
 */
import { shortCount } from "../shared/text/short-count.ts";
import { pluralForm, writeNumber } from "./intl.ts";

export type Values = Readonly<Record<string, string | number>>;

/** Words as they are; a value's name, with branches if it chooses one; or `#`, the number of a plural. */
export type Part = string | readonly [name: string, kind?: string, branches?: Branches];
type Branches = Readonly<Record<string, readonly Part[]>>;

const TOKEN = /''|'([{}#](?:[^']|'')*)'?|\{([\w-]+)(?:\}|,\s*(\w+),)|(#\+?)|[^'{}#]+|./gsy;
const BRANCH = /\s*(=?\w+)\s*\{|\s*\}/y;

const known = new Map<string, readonly Part[]>();

/** `isolates`: between signs that keep a value's direction from the text around it. */
export function format(text: string, values: Values, language: string, isolates = false): string {
  const parts = known.get(text) ?? parse(text);
  known.set(text, parts);
  return write(parts);

  function write(some: readonly Part[] = [], count = 0): string {
    return some
      .map((part) => {
        if (typeof part === "string") return part;
        const [name, kind, branches] = part;
        if (name === "#") return writeNumber(count, language);
        if (name === "#+") return shortCount(count);
        const value = values[name] ?? "";
        if (!branches) return isolates && typeof value === "string" ? `\u2068${value}\u2069` : value;
        const number = kind === "plural" ? Number(value) : count;
        const form = kind === "plural" ? pluralForm(number, language) : value;
        return write(branches[`=${value}`] ?? branches[form] ?? branches.other, number);
      })
      .join("");
  }
}

export function parse(text: string): readonly Part[] {
  let at = 0;
  return readParts();

  function next(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found) at = pattern.lastIndex;
    return found;
  }

  function readParts(isBranch = false, isInPlural = false): Part[] {
    const parts: Part[] = [];
    for (let found = next(TOKEN); found; found = next(TOKEN)) {
      const [all, quoted, name, kind, sign] = found;
      if (isBranch && all === "}") break;
      if (kind) parts.push([name ?? "", kind, readBranches(isInPlural || kind === "plural")]);
      else if (name ?? (isInPlural && sign)) parts.push([name ?? all]);
      else parts.push((quoted ?? all).replaceAll("''", "'"));
    }
    return parts;
  }

  function readBranches(isInPlural: boolean): Branches {
    const branches: Record<string, Part[]> = {};
    for (let key = next(BRANCH)?.[1]; key; key = next(BRANCH)?.[1]) {
      branches[key] = readParts(true, isInPlural);
    }
    return branches;
  }
}
