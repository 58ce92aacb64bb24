/**
 * The block parser. A text is split at blank lines. Each piece goes to the first kind of block that
 * recognizes it, which may put a remainder back. The flavour defines the kinds, their order, and how a
 * list or quote takes lazy lines.
 */
import { addChild, type Element } from "../element.ts";
import type { Session } from "../session.ts";
import { addHeading, findHeading } from "./headings.ts";
import { addIndentedCode } from "./indented-code.ts";
import { continueList, isListContinuation, ORDERED, startList, UNORDERED } from "./lists.ts";
import { addQuote, findQuote } from "./quotes.ts";
import { addRule, findRule } from "./rules.ts";
import { addTable, readTable } from "./tables.ts";

/** Lists and quotes nested deeper than this are plain paragraphs. */
const MAX_DEPTH = 60;

export type ListState = "list" | "looselist" | "blockquote" | "detabbed";

export class BlockParser {
  readonly session: Session;
  readonly #states: ListState[] = [];
  #depth = 0;

  constructor(session: Session) {
    this.session = session;
  }

  isIn(state: ListState): boolean {
    return this.#states.at(-1) === state;
  }

  /** Runs `parse` with this state on top: it decides whether text becomes a paragraph. */
  within(state: ListState, parse: () => void): void {
    this.#states.push(state);
    parse();
    this.#states.pop();
  }

  parseText(parent: Element, text: string): void {
    this.parseBlocks(parent, text.split("\n\n"));
  }

  parseBlocks(parent: Element, blocks: string[]): void {
    this.#depth++;
    const queue = new BlockQueue(blocks);
    for (let block = queue.take(); block !== undefined; block = queue.take())
      this.#parseBlock(parent, block, queue);
    this.#depth--;
  }

  #parseBlock(parent: Element, block: string, queue: BlockQueue): void {
    if (block === "" || block.charCodeAt(0) === 10) skipBlankLine(parent, block, queue);
    else if (this.#depth > MAX_DEPTH) this.addParagraph(parent, block);
    else if (isListContinuation(parent, block, this)) continueList(parent, block, this);
    else if (block.startsWith("    ")) addIndentedCode(parent, block, queue);
    else if (!this.#parseMarked(parent, block, queue)) this.addParagraph(parent, block);
  }

  /** Tries the kinds that a leading character identifies. Returns false if the block is none of them. */
  #parseMarked(parent: Element, block: string, queue: BlockQueue): boolean {
    const heading = findHeading(block);
    const table = heading === null ? readTable(block) : null;
    const rule = heading === null && table === null ? findRule(block) : null;
    if (heading !== null) addHeading(parent, block, heading, queue, this);
    else if (table !== null) addTable(parent, table);
    else if (rule !== null) addRule(parent, block, rule, queue, this);
    else if (ORDERED.first.test(block)) startList(parent, block, ORDERED, this);
    else if (UNORDERED.first.test(block)) startList(parent, block, UNORDERED, this);
    else {
      const quote = findQuote(block);
      if (quote === -1) return false;
      addQuote(parent, block, quote, this);
    }
    return true;
  }

  /** A paragraph; in a tight list the text belongs to the item itself. */
  addParagraph(parent: Element, block: string): void {
    if (block.trim() === "") return;
    if (!this.isIn("list")) {
      addChild(parent, "p", block.trimStart());
      return;
    }
    const sibling = parent.children.at(-1);
    if (sibling !== undefined) sibling.tail = `${sibling.tail}\n${block}`;
    else parent.text = parent.text === "" ? block.trimStart() : `${parent.text}\n${block.trimStart()}`;
  }
}

/** Blocks still to be parsed, next first. */
export class BlockQueue {
  readonly #reversed: string[];

  constructor(blocks: string[]) {
    this.#reversed = blocks.reverse();
  }

  take(): string | undefined {
    return this.#reversed.pop();
  }

  putBack(block: string): void {
    this.#reversed.push(block);
  }
}

/** Blank lines separate blocks, but between two pieces of indented code they belong to the code. */
function skipBlankLine(parent: Element, block: string, queue: BlockQueue): void {
  const previous = parent.children.at(-1);
  if (previous?.tag === "pre") previous.text += block === "" ? "\n\n" : "\n";
  if (block.length > 1) queue.putBack(block.slice(1));
}
