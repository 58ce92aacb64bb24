/**
 * Templates of the generic integration: text with `{{path.to.field}}` for values of the payload. There are no
 * conditions and no loops. The template is as trusted as the address that it is in. The values come from
 * outside, so no value takes part in a mention, or in an address that is none of a web page. What the
 * template and the values make together is checked, and not the template: what is harmless in each of both
 * may be a mention in the end.
 */
import { type Fence, readFence } from "../../../../markdown/fences.ts";
import { inline, link, quoted, verbatim } from "./outside-text.ts";
import { valueAt } from "./value-at.ts";

const PATH = "\\{\\{\\s*([^{}\\s]{1,200})\\s*\\}\\}";
const PLACEHOLDER = new RegExp(PATH, "g");
const ALONE = new RegExp(`^\\s*${PATH}\\s*$`);
/** A link whose address is a value, or a value. They are found in one pass, so no value is read as either. */
const PARTS = new RegExp(`\\[([^[\\]\\n]{1,200})\\]\\(\\s*${PATH}\\s*\\)|${PATH}`, "g");
/**
 * Divided after their beginning: mentions, links to channels, and addresses that are none of web pages. Each
 * comes with what ends it. A look ahead to there from each beginning would take time by the square.
 */
const DIVIDED: readonly { begin: RegExp; end: RegExp }[] = [
  { begin: /@(?=_?\*)/g, end: /\*+[^*]*\**/g },
  { begin: /#(?=\*\*)/g, end: /\*+[^*]*\**/g },
  { begin: /[\p{L}\p{N}\p{M}_.+-]{1,64}@(?=[\p{L}\p{N}])/gu, end: /(?=\s)/g },
  { begin: /bitcoin(?=:)/gi, end: /(?=\s)/g },
  // From the bracket on, the address of a link.
  { begin: /\](?=\()(?!\([^\S\n]*<?[^\S\n]*https?:\/\/)/gi, end: /\)|(?=\n)/g },
];
const ZERO_WIDTH_SPACE = "\u200b";
/** Further ones stay as they are. */
const MAX_PLACEHOLDERS = 50;
/** A missing field is empty. A text of several lines that is alone in its line becomes a quotation. */
export function fillTemplate(template: string, payload: unknown): string {
  const values = new Values(payload);
  let fence: Fence | undefined;
  const lines = template.split(/\r\n?|\n/).map((line) => {
    const isEnd = fence !== undefined && line.trimEnd() === fence.marker;
    const isVerbatim = fence !== undefined && !isEnd;
    if (isEnd) fence = undefined;
    else fence ??= readFence(line) ?? undefined;
    return isVerbatim ? values.fillVerbatim(line) : values.fill(line);
  });
  return disarmed(lines.flatMap((line, at) => (at === 0 ? line : [{ text: "\n", isOwn: true }, ...line])));
}

interface Piece {
  text: string;
  /** Whether it is the template's, and no value's. */
  isOwn: boolean;
}

class Values {
  readonly #payload: unknown;
  #left = MAX_PLACEHOLDERS;

  constructor(payload: unknown) {
    this.#payload = payload;
  }

  fill(line: string): Piece[] {
    const path = ALONE.exec(line)?.[1];
    const alone = path === undefined ? "" : this.#read(path);
    if (alone.trim().includes("\n")) return [{ text: `${quoted(alone)}\n`, isOwn: false }];
    const pieces: Piece[] = [];
    let done = 0;
    for (const found of line.matchAll(PARTS)) {
      pieces.push({ text: line.slice(done, found.index), isOwn: true });
      pieces.push({ text: this.#valueOf(found), isOwn: false });
      done = found.index + found[0].length;
    }
    return [...pieces, { text: line.slice(done), isOwn: true }];
  }

  /** In a block of code. */
  fillVerbatim(line: string): Piece[] {
    const text = line.replace(PLACEHOLDER, (placeholder, path: string) =>
      this.#left-- > 0 ? this.#read(path) : placeholder,
    );
    return [{ text: verbatim(text), isOwn: false }];
  }

  #valueOf([found, label, address, path]: RegExpMatchArray): string {
    if (this.#left-- <= 0) return found;
    if (label === undefined || address === undefined) return inline(this.#read(path ?? ""));
    const text = label.replace(PLACEHOLDER, (_, name: string) => this.#read(name));
    return link(text, this.#read(address));
  }

  #read(path: string): string {
    const value = valueAt(this.#payload, path);
    if (value === undefined || value === null) return "";
    return typeof value === "string" ? value : JSON.stringify(value);
  }
}

/**
 * The text of all pieces. A character of no width divides each mention, and each address of another kind,
 * that is not within one piece of the template.
 */
function disarmed(pieces: readonly Piece[]): string {
  const text = pieces.map((piece) => piece.text).join("");
  const isOwn = ownRanges(pieces);
  const divided = DIVIDED.flatMap((what) => partsOf(text, what))
    .filter(({ from, to }) => !isOwn(from, to))
    .map(({ at }) => at)
    .sort((a, b) => a - b);
  const ends = [...divided, text.length];
  return ends.map((end, n) => text.slice(n === 0 ? 0 : ends[n - 1], end)).join(ZERO_WIDTH_SPACE);
}

/** Where they are, and where they are divided. What ends one may end those that begin within it too. */
function partsOf(text: string, { begin, end }: (typeof DIVIDED)[number]) {
  const ending = new RegExp(end);
  let next = { from: 0, to: 0 };
  return [...text.matchAll(begin)].map(({ index, 0: found }) => {
    const at = index + found.length;
    if (next.from < at) {
      ending.lastIndex = at;
      const ended = ending.exec(text);
      next = ended ? { from: ended.index, to: ending.lastIndex } : { from: text.length, to: text.length };
    }
    return { from: index, at, to: next.to };
  });
}

/** Whether a part of the text is within one piece of the template. */
function ownRanges(pieces: readonly Piece[]): (from: number, to: number) => boolean {
  const ends: number[] = [];
  let end = 0;
  for (const { text } of pieces) {
    end += text.length;
    ends.push(end);
  }
  return (from, to) => {
    let [low, high] = [0, pieces.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ends[middle] ?? 0) > from) high = middle;
      else low = middle + 1;
    }
    return pieces[low]?.isOwn === true && to <= (ends[low] ?? 0);
  };
}
