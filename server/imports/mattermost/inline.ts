/**
 * Text of Mattermost's Markdown within a paragraph. A scanner reads it, since what a character means depends
 * on where it stands: code and addresses have no other syntax, and underscores are marks at the borders of
 * words only. What is the same here stays as it is written, stars too.
 */

const MAX_DEPTH = 4;
const NAME = /[a-z0-9_.-][a-z0-9_.:-]{0,99}/iy;
const EMOJI = /:([a-z0-9_+-]{1,64}):/iy;
const BARE_ADDRESS = /https?:\/\/[^\s<]+/iy;
const ANGLED_ADDRESS = /<((?:https?:\/\/|mailto:)[^\s<>]+)>/iy;
/** The address of a link, its title, and the size that a picture may have. */
const TARGET = /^\s*<?([^\s<>]*)>?(?:\s+(?:"[^"]*"|'[^']*'|=\d{0,5}(?:x\d{0,5})?))*\s*$/;
const ESCAPABLE = /[\\`*{}[\]()#+\-.!_>~|]/;
const WORD = /[\p{L}\p{N}]/u;

/** What becomes of each thing in a text. */
export interface Writer {
  /** A character or more without a meaning. */
  text(text: string): string;
  /** A character that has no meaning, but would have one. */
  literal(character: string): string;
  /** With its backticks. */
  code(source: string): string;
  /** Underscores, 1 to 3. undefined: they can't be marks around this. */
  emphasis(inner: string, size: number): string | undefined;
  link(address: string, label: string): string;
  /** undefined: it names nobody. */
  mention(name: string): string | undefined;
  /** undefined: it names no channel. */
  channel(name: string): string | undefined;
  emoji(name: string): string | undefined;
}

export function writeInline(text: string, writer: Writer, depth = 0): string {
  return new Scanner(text, writer, depth).write();
}

class Scanner {
  readonly #text: string;
  readonly #writer: Writer;
  readonly #depth: number;
  #out = "";
  #plain = "";
  #closers: ReadonlyMap<number, number> | undefined;
  /** Lengths of runs of backticks that no later run closes, and up to where a run of underscores is not. */
  readonly #openRuns = new Set<number>();
  readonly #openUntil = [0, 0, 0, 0];

  constructor(text: string, writer: Writer, depth: number) {
    this.#text = text;
    this.#writer = writer;
    this.#depth = depth;
  }

  write(): string {
    const text = this.#text;
    for (let at = 0; at < text.length; ) {
      const end = this.#at(at);
      if (end > at) at = end;
      else this.#plain += text[at++];
    }
    this.#flush();
    return this.#out;
  }

  #flush(): void {
    if (this.#plain !== "") this.#out += this.#writer.text(this.#plain);
    this.#plain = "";
  }

  /** Writes in place of what ends at `end`. Returns that. */
  #put(written: string, end: number): number {
    this.#flush();
    this.#out += written;
    return end;
  }

  /** Where to go on; the same place for an ordinary character. */
  #at(at: number): number {
    const text = this.#text;
    const [before, next] = [text[at - 1], text[at + 1]];
    switch (text[at]) {
      case "\\":
        if (next === undefined || !ESCAPABLE.test(next)) return at;
        return this.#put(this.#writer.literal(next), at + 2);
      case "`":
        return this.#code(at);
      case "[":
        return this.#link(at, at);
      case "!":
        return next === "[" ? this.#link(at, at + 1) : at;
      case "<":
        return this.#angled(at);
      case "h":
      case "H":
        return isWord(before) ? at : this.#bareAddress(at);
      case "@":
        return this.#mention(at);
      case "~":
        return this.#channel(at);
      case ":":
        return this.#emoji(at);
      case "_":
        return this.#emphasis(at);
      case "#":
        return next === "*" || next === "_" ? this.#put(this.#writer.literal("#"), at + 1) : at;
      case "$":
        return next === "$" ? this.#put(this.#writer.literal("$"), at + 1) : at;
      default:
        return at;
    }
  }

  #code(at: number): number {
    const end = this.#endOfCode(at);
    if (end !== undefined) return this.#put(this.#writer.code(this.#text.slice(at, end)), end);
    const run = endOfRun(this.#text, at);
    // Here, a shorter run could close it.
    return this.#put(this.#writer.literal("`").repeat(run - at), run);
  }

  /** undefined: no run of as many backticks follows. */
  #endOfCode(at: number): number | undefined {
    const text = this.#text;
    const start = endOfRun(text, at);
    const size = start - at;
    if (this.#openRuns.has(size)) return undefined;
    for (let close = text.indexOf("`", start); close >= 0; close = text.indexOf("`", close)) {
      const end = endOfRun(text, close);
      if (end - close === size) return end;
      close = end;
    }
    this.#openRuns.add(size);
    return undefined;
  }

  /** `open`: the bracket, which follows a picture's mark. */
  #link(at: number, open: number): number {
    const text = this.#text;
    this.#closers ??= closersOf(text);
    const close = this.#closers.get(open);
    const end = close !== undefined && text[close + 1] === "(" ? this.#closers.get(close + 1) : undefined;
    if (close === undefined || end === undefined) return at;
    const address = TARGET.exec(text.slice(close + 2, end))?.[1];
    if (!address) return at;
    return this.#put(this.#writer.link(address, text.slice(open + 1, close)), end + 1);
  }

  #angled(at: number): number {
    ANGLED_ADDRESS.lastIndex = at;
    const found = ANGLED_ADDRESS.exec(this.#text);
    if (found) return this.#put(this.#writer.link(found[1] as string, ""), ANGLED_ADDRESS.lastIndex);
    return this.#text.startsWith("<time:", at) ? this.#put(this.#writer.literal("<"), at + 1) : at;
  }

  /** It stays as it is, without what closes marks or a sentence. */
  #bareAddress(at: number): number {
    BARE_ADDRESS.lastIndex = at;
    const [found] = BARE_ADDRESS.exec(this.#text) ?? [];
    if (found === undefined) return at;
    const address = found.replace(/[.,;:!?'"*_~)\]]{1,20}$/, "");
    return this.#put(this.#writer.link(address, ""), at + address.length);
  }

  #mention(at: number): number {
    const text = this.#text;
    if (!isWord(text[at - 1])) {
      const end = this.#named(at, (name) => this.#writer.mention(name));
      if (end !== undefined) return end;
    }
    const next = text[at + 1];
    return next === "*" || next === "_" ? this.#put(this.#writer.literal("@"), at + 1) : at;
  }

  #channel(at: number): number {
    const [before, next] = [this.#text[at - 1], this.#text[at + 1]];
    if (before === "~" || next === "~" || isWord(before)) return at;
    return this.#named(at, (name) => this.#writer.channel(name)) ?? at;
  }

  /** The longest name behind a character that is one, without what ends a sentence. */
  #named(at: number, write: (name: string) => string | undefined): number | undefined {
    NAME.lastIndex = at + 1;
    let [name = ""] = NAME.exec(this.#text) ?? [];
    for (; name !== ""; name = name.slice(0, -1)) {
      const written = write(name);
      if (written !== undefined) return this.#put(written, at + 1 + name.length);
      if (!/[_.:-]$/.test(name)) return undefined;
    }
    return undefined;
  }

  #emoji(at: number): number {
    EMOJI.lastIndex = at;
    const name = EMOJI.exec(this.#text)?.[1];
    const written = name === undefined ? undefined : this.#writer.emoji(name.toLowerCase());
    return written === undefined ? at : this.#put(written, EMOJI.lastIndex);
  }

  #emphasis(at: number): number {
    const text = this.#text;
    let start = at;
    while (text[start] === "_") start++;
    const size = start - at;
    const isOpening = !isWord(text[at - 1]) && !isBlank(text[start]);
    const close = isOpening && size <= 3 && this.#depth < MAX_DEPTH ? this.#endOfEmphasis(start, size) : -1;
    const inner = close < 0 ? "" : writeInline(text.slice(start, close), this.#writer, this.#depth + 1);
    const written = close < 0 ? undefined : this.#writer.emphasis(inner, size);
    if (written !== undefined) return this.#put(written, close + size);
    return this.#put(this.#writer.text(text.slice(at, start)), start);
  }

  /** In the same line, and in no code. -1: there is none. */
  #endOfEmphasis(start: number, size: number): number {
    const text = this.#text;
    if (start < (this.#openUntil[size] as number)) return -1;
    let at = start;
    for (; at < text.length && text[at] !== "\n"; at++) {
      if (text[at] === "\\") at++;
      else if (text[at] === "`") at = (this.#endOfCode(at) ?? endOfRun(text, at)) - 1;
      else if (text[at] === "_") {
        const begin = at;
        while (text[at] === "_") at++;
        if (at - begin === size && !isBlank(text[begin - 1]) && !isWord(text[at])) return begin;
        at--;
      }
    }
    this.#openUntil[size] = at;
    return -1;
  }
}

/** The place of the bracket that closes each one, by one pass: many open ones cost no more. */
function closersOf(text: string): Map<number, number> {
  const closers = new Map<number, number>();
  const squares: number[] = [];
  const rounds: number[] = [];
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === "\\") at++;
    else if (character === "[") squares.push(at);
    else if (character === "(") rounds.push(at);
    else if (character === "]" || character === ")") {
      const open = (character === "]" ? squares : rounds).pop();
      if (open !== undefined) closers.set(open, at);
    }
  }
  return closers;
}

function endOfRun(text: string, at: number): number {
  let end = at;
  while (text[end] === "`") end++;
  return end;
}

function isWord(character: string | undefined): boolean {
  return character !== undefined && WORD.test(character);
}

function isBlank(character: string | undefined): boolean {
  return character === undefined || /\s/.test(character);
}
