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
/** Divided after their beginning: mentions, links to channels, and addresses that are none of web pages. */
const DIVIDED = [
  /@(?=(_?\*+[^*]*\**))/g,
  /#(?=(\*\*[^*]*\**))/g,
  /[\p{L}\p{N}\p{M}_.+-]{1,64}@(?=([\p{L}\p{N}]\S*))/gu,
  /bitcoin(?=(:\S*))/gi,
];
/** From the bracket on, the address of a link. */
const ADDRESS = /\](?=(\([^)\n]*\)?))/g;
const WEB_ADDRESS = /^\(\s*<?\s*https?:\/\//i;
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
  const addresses = [...text.matchAll(ADDRESS)].filter(([, address = ""]) => !WEB_ADDRESS.test(address));
  const divided = [...DIVIDED.flatMap((what) => [...text.matchAll(what)]), ...addresses]
    .filter(({ index, 0: begin, 1: rest = "" }) => !isOwn(index, index + begin.length + rest.length))
    .map(({ index, 0: begin }) => index + begin.length)
    .sort((a, b) => a - b);
  const ends = [...divided, text.length];
  return ends.map((end, n) => text.slice(n === 0 ? 0 : ends[n - 1], end)).join(ZERO_WIDTH_SPACE);
}

/** Whether a part of the text is within one piece of the template. */
function ownRanges(pieces: readonly Piece[]): (from: number, to: number) => boolean {
  const own: { from: number; to: number }[] = [];
  let from = 0;
  for (const { text, isOwn } of pieces) {
    const to = from + text.length;
    if (isOwn) own.push({ from, to });
    from = to;
  }
  return (begin, end) => own.some((range) => range.from <= begin && end <= range.to);
}
