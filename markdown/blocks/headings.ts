import { addChild, type Element } from "../element.ts";
import type { BlockParser, BlockQueue } from "./parser.ts";

interface Heading {
  start: number;
  end: number;
  level: number;
  text: string;
}

/**
 * The first line of the block that begins with one to six "#" and a space. It looks for "#", which is rarer
 * than line breaks: a block of many rules comes here once for each of them.
 */
export function findHeading(block: string): Heading | null {
  for (let start = block.indexOf("#"); start !== -1; start = block.indexOf("#", start + 1)) {
    if (start > 0 && block.charCodeAt(start - 1) !== 10) continue;
    const heading = readHeading(block, start);
    if (heading !== null) return heading;
  }
  return null;
}

function readHeading(block: string, start: number): Heading | null {
  let level = 0;
  while (level < 7 && block.charCodeAt(start + level) === 35) level++;
  if (level > 6 || !isSpace(block.charCodeAt(start + level))) return null;
  const textStart = start + level + 1;
  // COMPAT: the space may be a line break, and then the heading is the next line.
  const newline = block.indexOf("\n", textStart);
  const lineEnd = newline === -1 ? block.length : newline;
  if (isEscaped(block, lineEnd)) return null;
  let textEnd = lineEnd;
  while (textEnd > textStart && block.charCodeAt(textEnd - 1) === 35 && !isEscaped(block, textEnd - 1))
    textEnd--;
  return {
    start,
    end: Math.min(lineEnd + 1, block.length),
    level,
    text: block.slice(textStart, textEnd).trim(),
  };
}

function isSpace(code: number): boolean {
  return code === 32 || code === 10 || code === 9;
}

/** Whether an odd number of backslashes stands before `index`. */
function isEscaped(block: string, index: number): boolean {
  let at = index;
  while (at > 0 && block.charCodeAt(at - 1) === 92) at--;
  return (index - at) % 2 === 1;
}

export function addHeading(
  parent: Element,
  block: string,
  heading: Heading,
  queue: BlockQueue,
  parser: BlockParser,
): void {
  const before = block.slice(0, heading.start).replace(/\n$/, "");
  if (before !== "") parser.parseBlocks(parent, [before]);
  addChild(parent, `h${heading.level}`, heading.text);
  const rest = block.slice(heading.end);
  if (rest !== "") queue.putBack(parser.isIn("looselist") ? `\n${rest}` : rest);
}
