/**
 * The state of one render. Finished HTML is stored here while a marker stands for it in the text, so that no
 * later rule looks inside.
 */
import type { RendererExtras } from "./extras.ts";
import { type MessageFacts, noFacts } from "./facts.ts";
import { linkWork } from "./linkifier.ts";
import type { Lookups } from "./lookups.ts";
import { CLOSE, OPEN, PHRASE_MARKER } from "./marker.ts";

/**
 * Thrown when a text asks for more work than a message may cost; the renderer then shows plain paragraphs.
 */
export class TooIntricate extends Error {}

const MAX_FORMULAS = 100;
const MAX_FORMULA_LENGTH = 2500;
const MAX_HIGHLIGHTED = 5000;
const MAX_OUTPUT = 1_000_000;

/** A link in the text, for previews. */
export interface FoundLink {
  href: string;
  text: string;
  /** How deep inside other inline elements it stands; 0 is directly in its block. */
  depth: number;
  /** Whether the link is the whole content of its block. */
  isAlone: boolean;
}

interface Phrase {
  html: string;
  source: string;
  links: readonly FoundLink[];
}

const NO_LINKS: readonly FoundLink[] = [];

export class Session {
  readonly lookups: Lookups;
  readonly extras: RendererExtras;
  readonly facts: MessageFacts = noFacts();
  /** The links inside the element that is about to be stored. */
  innerLinks: readonly FoundLink[] = NO_LINKS;
  readonly linkWork = linkWork();
  readonly #phrases: Phrase[] = [];
  readonly #blocks: string[] = [];
  #highlighted = 0;
  #formulas = 0;
  #formulaLength = 0;
  #outputLength = 0;

  constructor(lookups: Lookups, extras: RendererExtras) {
    this.lookups = lookups;
    this.extras = extras;
  }

  /** Stores finished inline HTML; `source` is what it came from, for rules that need the text back. */
  storePhrase(html: string, source = "", link?: FoundLink): string {
    this.spend(html.length);
    for (const inner of this.innerLinks) inner.depth++;
    this.#phrases.push({ html, source, links: link === undefined ? this.innerLinks : [link] });
    this.innerLinks = NO_LINKS;
    return `${OPEN}${this.#phrases.length - 1}${CLOSE}`;
  }

  phrase(index: number): Phrase {
    return this.#phrases[index]!;
  }

  storeBlock(html: string): string {
    this.spend(html.length);
    this.#blocks.push(html);
    return `${OPEN}b${this.#blocks.length - 1}${CLOSE}`;
  }

  /** The block that a paragraph consisting of this text stands for. */
  blockFor(paragraph: string): string | undefined {
    if (!paragraph.startsWith(`${OPEN}b`)) return undefined;
    const end = paragraph.indexOf(CLOSE);
    if (paragraph.slice(end + 1).trim() !== "") return undefined;
    return this.#blocks[Number(paragraph.slice(2, end))];
  }

  block(index: number): string {
    return this.#blocks[index]!;
  }

  /** The text with every phrase turned back into what was typed. */
  sourceOf(text: string): string {
    if (!text.includes(OPEN)) return text;
    return text.replace(PHRASE_MARKER, (_, index) => this.sourceOf(this.phrase(Number(index)).source));
  }

  spend(length: number): void {
    this.#outputLength += length;
    if (this.#outputLength > MAX_OUTPUT) throw new TooIntricate();
  }

  /** Whether this much more code may be highlighted. */
  mayHighlight(code: string): boolean {
    this.#highlighted += code.length;
    return this.#highlighted <= MAX_HIGHLIGHTED;
  }

  /** Whether one more formula may be typeset. Typesetting costs more than anything else in a short text. */
  mayTypeset(tex: string): boolean {
    this.#formulas++;
    this.#formulaLength += tex.length;
    return this.#formulas <= MAX_FORMULAS && this.#formulaLength <= MAX_FORMULA_LENGTH;
  }
}
