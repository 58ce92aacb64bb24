/**
 * Lists. Two spaces make a level of nesting. A list is tight while its items follow each other without a
 * blank line. After a blank line, the next item and the one before it hold paragraphs. A list of one kind
 * never continues a list of the other kind.
 */
import { addChild, type Element, newElement } from "../element.ts";
import type { BlockParser } from "./parser.ts";

interface ListKind {
  readonly tag: "ol" | "ul";
  /** What the first line of a list looks like. */
  readonly first: RegExp;
  /** An item of the same list: its bullet or number, and its text. */
  readonly item: RegExp;
}

export const ORDERED: ListKind = { tag: "ol", first: /^ ?\d+\. +/, item: /^ ?(\d+)\. +(.*)/ };
export const UNORDERED: ListKind = { tag: "ul", first: /^ ?[*+-] +/, item: /^ ?([*+-]) +(.*)/ };

const INDENT = "  ";
const INDENTED_ITEM = /^ {2,3}(?:\d+\.|[*+-]) +/;

/** Turns the block's items into a list, or adds them to the list before it, which then is loose. */
export function startList(parent: Element, block: string, kind: ListKind, parser: BlockParser): void {
  const { items, start } = splitItems(block, kind);
  const sibling = parent.children.at(-1);
  let list: Element;
  if (sibling?.tag === kind.tag) {
    list = sibling;
    loosen(list.children.at(-1)!);
    const item = addChild(list, "li");
    parser.within("looselist", () => parser.parseBlocks(item, [items.shift()!]));
  } else if (parent.tag === "ol" || parent.tag === "ul") {
    list = parent;
  } else {
    list = addChild(parent, kind.tag, "", kind.tag === "ol" && start !== "1" ? ` start="${start}"` : "");
  }
  parser.within("list", () => {
    for (const text of items) {
      const last = list.children.at(-1);
      const item = text.startsWith(INDENT) && last !== undefined ? last : addChild(list, "li");
      parser.parseBlocks(item, [text]);
    }
  });
}

/** Moves text that an item holds directly into paragraphs. */
function loosen(item: Element): void {
  if (item.text !== "") {
    item.children.unshift(newElement("p", item.text));
    item.text = "";
  }
  const last = item.children.at(-1);
  if (last !== undefined && last.tail !== "") {
    const tail = last.tail.trimStart();
    last.tail = "";
    addChild(item, "p", tail);
  }
}

function splitItems(block: string, kind: ListKind): { items: string[]; start: string } {
  const items: string[] = [];
  let start = "1";
  for (const line of block.split("\n")) {
    const match = kind.item.exec(line);
    const last = items.length - 1;
    if (match !== null) {
      if (last < 0) start = match[1]!;
      items.push(match[2]!);
    } else if (INDENTED_ITEM.test(line) && !items[last]!.startsWith(INDENT)) items.push(line);
    else items[last] += `\n${line}`;
  }
  return { items, start: start.replace(/^0+(?=\d)/, "").slice(0, 9) };
}

/** Whether an indented block continues the list before it. */
export function isListContinuation(parent: Element, block: string, parser: BlockParser): boolean {
  if (!block.startsWith(INDENT) || parser.isIn("detabbed")) return false;
  return parent.tag === "li" || isList(parent.children.at(-1));
}

/** Parses the block as part of the item that its indentation points to. */
export function continueList(parent: Element, block: string, parser: BlockParser): void {
  const { level, target } = findLevel(parent, block, parser);
  const text = dedent(block, INDENT.repeat(level));
  parser.within("detabbed", () => {
    if (parent.tag === "li") {
      const last = parent.children.at(-1);
      parser.parseBlocks(isList(last) ? last! : parent, [text]);
    } else if (target.tag === "li") {
      parser.parseBlocks(target, [text]);
    } else if (target.children.at(-1)?.tag === "li") {
      const item = target.children.at(-1)!;
      if (item.text !== "") {
        item.children.unshift(newElement("p", item.text));
        item.text = "";
      }
      parser.parseText(item, text);
    } else {
      parser.parseBlocks(addChild(target, "li"), [text]);
    }
  });
}

function findLevel(parent: Element, block: string, parser: BlockParser): { level: number; target: Element } {
  const wanted = Math.floor((/^ */.exec(block)![0].length ?? 0) / INDENT.length);
  let level = parser.isIn("list") ? 1 : 0;
  let target = parent;
  while (wanted > level) {
    const child = target.children.at(-1);
    if (child === undefined || (!isList(child) && child.tag !== "li")) break;
    if (isList(child)) level++;
    target = child;
  }
  return { level, target };
}

function dedent(block: string, indent: string): string {
  if (indent === "") return block;
  return block
    .split("\n")
    .map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line))
    .join("\n");
}

function isList(element: Element | undefined): boolean {
  return element?.tag === "ol" || element?.tag === "ul";
}
