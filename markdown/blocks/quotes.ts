import { addChild, type Element } from "../element.ts";
import { silenceMentions } from "../inline/mentions.ts";
import type { BlockParser } from "./parser.ts";

const QUOTED_LINE = /^ {0,3}> ?(.*)$/;
const EMPTY_QUOTED_LINE = /^ {0,3}>\s*$/;

/**
 * Where the first quoted line of the block begins, or -1. Lines with only ">" are a quote only if
 * something follows them.
 */
export function findQuote(block: string): number {
  if (!block.includes(">")) return -1;
  const lines = block.split("\n");
  let firstOfRun = -1;
  let start = 0;
  for (const line of lines) {
    if (EMPTY_QUOTED_LINE.test(line)) {
      if (firstOfRun === -1) firstOfRun = start;
    } else if (QUOTED_LINE.test(line)) return firstOfRun === -1 ? start : firstOfRun;
    else if (firstOfRun !== -1 && line.trim() !== "") return firstOfRun;
    start += line.length + 1;
  }
  return -1;
}

/** A quote takes the rest of its block, quoted lines and others. Mentions inside it notify nobody. */
export function addQuote(parent: Element, block: string, start: number, parser: BlockParser): void {
  const before = block.slice(0, start).replace(/\n$/, "");
  if (before !== "") parser.parseBlocks(parent, [before]);
  const text = block.slice(start).split("\n").map(unquote).join("\n");
  const quote = addChild(parent, "blockquote");
  parser.within("blockquote", () => parser.parseText(quote, text));
}

function unquote(line: string): string {
  const silenced = silenceMentions(line);
  if (silenced.trim() === ">") return "";
  return QUOTED_LINE.exec(silenced)?.[1] ?? silenced;
}
