import { addChild, type Element } from "../element.ts";
import type { BlockParser, BlockQueue } from "./parser.ts";

interface Rule {
  start: number;
  end: number;
}

const ONLY_MARKS = /^ {0,3}([-_*])(?:\1| )*$/;

/** The first line that is a horizontal rule: three or more of one of - _ *, at most two spaces apart. */
export function findRule(block: string): Rule | null {
  if (!block.includes("-") && !block.includes("_") && !block.includes("*")) return null;
  let start = 0;
  while (start <= block.length) {
    const newline = block.indexOf("\n", start);
    const end = newline === -1 ? block.length : newline;
    if (isRule(block, start, end)) return { start, end };
    start = end + 1;
  }
  return null;
}

function isRule(block: string, start: number, end: number): boolean {
  if (end - start < 3) return false;
  const line = block.slice(start, end);
  if (!ONLY_MARKS.test(line)) return false;
  const marks = line.trim();
  // A gap of three spaces ends the rule. Runs of one character need no pattern.
  return marks.replace(/ /g, "").length >= 3 && !marks.includes("   ");
}

export function addRule(
  parent: Element,
  block: string,
  rule: Rule,
  queue: BlockQueue,
  parser: BlockParser,
): void {
  const before = block.slice(0, rule.start).replace(/\n+$/, "");
  if (before !== "") parser.parseBlocks(parent, [before]);
  addChild(parent, "hr");
  const rest = block.slice(rule.end).replace(/^\n+/, "");
  if (rest !== "") queue.putBack(rest);
}
