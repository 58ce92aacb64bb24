/**
 * The organization's own patterns, compiled by an engine that never backtracks: whatever an administrator
 * writes, matching takes time linear in the message.
 */
import { createRequire } from "node:module";
import type { RE2JS } from "re2js";
import type { Linkifier, LinkWork } from "../linkifier.ts";
import { parseUrlTemplate } from "../url-template.ts";

const require = createRequire(import.meta.url);
/** Loaded with the first pattern: most organizations have none. */
let engine: typeof RE2JS | undefined;

const MAX_PATTERN_LENGTH = 500;
/** Bounds the automaton: "(\d{1000}){1000}" is short to write and enormous to run. */
const MAX_PROGRAM_SIZE = 4000;

/** The reason why a pattern or template was refused. */
export type LinkifierFault =
  | "bad-pattern"
  | "pattern-too-large"
  | "bad-template"
  | "missing-in-template"
  | "missing-in-pattern";

export class LinkifierError extends Error {
  readonly fault: LinkifierFault;
  /** The group or variable without a counterpart, if that is the reason. */
  readonly variable: string | undefined;
  /** What the engine says of a malformed pattern, if that is the reason. */
  readonly detail: string | undefined;

  constructor(fault: LinkifierFault, { variable, detail }: { variable?: string; detail?: string } = {}) {
    super([fault, variable ?? detail].filter((part) => part !== undefined).join(": "));
    this.fault = fault;
    this.variable = variable;
    this.detail = detail;
  }
}

/**
 * Compiles one pattern with its URL template. A match must follow a space, the start, or one of ' " ( , : <
 * and must not be followed by a letter or digit.
 *
 * @throws LinkifierError when either is malformed, or the pattern's named groups are not exactly the
 * template's variables.
 */
export function compileLinkifier(pattern: string, urlTemplate: string): Linkifier {
  const template = parseUrlTemplate(urlTemplate);
  if (template === null) throw new LinkifierError("bad-template");
  const { alone, bounded } = compilePattern(pattern);
  const names = Object.keys(alone.namedGroups());
  const extra = names.find((name) => !template.variables.includes(name));
  if (extra !== undefined) throw new LinkifierError("missing-in-template", { variable: extra });
  const unset = template.variables.find((name) => !names.includes(name));
  if (unset !== undefined) throw new LinkifierError("missing-in-pattern", { variable: unset });
  const prefix = literalPrefix(pattern);
  const size = bounded.programSize();

  const search = (text: string, from: number) => {
    const matcher = bounded.matcher(text);
    if (!matcher.find(from)) return null;
    // Groups are computed only when they are requested.
    const values: Record<string, string | null> = {};
    for (const name of names) values[name] = matcher.group(name);
    return { start: matcher.start(2), end: matcher.end(2), url: template.expand(values) };
  };

  return {
    find(text, from, work) {
      if (work.left <= 0 || (prefix !== "" && !text.includes(prefix, from))) return null;
      const most = (text.length - from) * size;
      if (most * SMALL_PART <= work.left) {
        work.left -= most;
        return search(text, from);
      }
      return unlessSpent(() => search(new MeteredText(text, size, work) as unknown as string, from));
    },
  };
}

/**
 * Metering costs more than reading. So a search that can use only a small part of the remaining work is
 * charged as if it read to the end.
 */
const SMALL_PART = 16;

/**
 * The text as the engine reads it, one character after another. Each read costs work, and when the work
 * is spent the search ends. The class has the methods of a string that the engine uses, and
 * `Symbol.toStringTag` calls it one. A subclass of `String` would disable V8's fast paths for all
 * strings: whole messages took twice as long.
 */
class MeteredText {
  readonly #text: string;
  readonly #price: number;
  readonly #work: LinkWork;

  constructor(text: string, price: number, work: LinkWork) {
    this.#text = text;
    this.#price = price;
    this.#work = work;
  }

  get [Symbol.toStringTag](): string {
    return "String";
  }

  get length(): number {
    return this.#text.length;
  }

  charCodeAt(index: number): number {
    this.#work.left -= this.#price;
    if (this.#work.left < 0) throw new WorkSpent();
    return this.#text.charCodeAt(index);
  }

  indexOf(part: string, from?: number): number {
    return this.#text.indexOf(part, from);
  }

  substring(start: number, end?: number): string {
    return this.#text.substring(start, end);
  }
}

class WorkSpent extends Error {}

function unlessSpent<T>(look: () => T): T | null {
  try {
    return look();
  } catch (error) {
    if (error instanceof WorkSpent) return null;
    throw error;
  }
}

function compilePattern(pattern: string): { alone: RE2JS; bounded: RE2JS } {
  if (pattern.length > MAX_PATTERN_LENGTH) throw new LinkifierError("pattern-too-large");
  engine ??= (require("re2js") as { RE2JS: typeof RE2JS }).RE2JS;
  let alone: RE2JS;
  let bounded: RE2JS;
  try {
    alone = engine.compile(pattern);
    bounded = engine.compile(`(^|\\s|\\x{85}|\\pZ|['"(,:<])(${pattern})($|[^\\pL\\pN])`);
  } catch (error) {
    throw new LinkifierError("bad-pattern", { detail: error instanceof Error ? error.message : `${error}` });
  }
  if (bounded.programSize() > MAX_PROGRAM_SIZE) throw new LinkifierError("pattern-too-large");
  return { alone, bounded };
}

/** Text that every match begins with, to skip messages without it; empty if there is no such text. */
function literalPrefix(pattern: string): string {
  if (pattern.includes("|") || pattern.includes("(?i") || pattern.includes("(?m") || pattern.includes("(?s"))
    return "";
  const literal = /^[^\\^$.|?*+()[\]{}]*/.exec(pattern)![0];
  const isLastOptional = /^[?*{]/.test(pattern.slice(literal.length));
  return isLastOptional ? literal.slice(0, -1) : literal;
}
