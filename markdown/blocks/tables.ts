import { addChild, type Element } from "../element.ts";

interface Table {
  header: string[];
  align: string[];
  rows: string[][];
}

const SEPARATOR = /^[|:\- ]+$/;
const MAX_COLUMNS = 200;
/**
 * Rows that would bring a table above this many cells are dropped. Short rows are filled up to the
 * header's length, so a short text could make many cells.
 */
const MAX_CELLS = 3000;

/**
 * A table: a header row, a row of dashes with as many cells, then any rows. Null if the block is not a
 * table.
 */
export function readTable(block: string): Table | null {
  const newline = block.indexOf("\n");
  if (newline === -1) return null;
  const secondEnd = block.indexOf("\n", newline + 1);
  const second = block.slice(newline + 1, secondEnd === -1 ? block.length : secondEnd).trim();
  const first = trimSpaces(block.slice(0, newline));
  if (!first.includes("|") || !SEPARATOR.test(second)) return null;
  const hasBorder = first.startsWith("|") || endsWithBorder(first);
  const header = splitRow(first, hasBorder);
  if (header.length > MAX_COLUMNS) return null;
  const separator = splitRow(second, hasBorder);
  if (header.length !== separator.length) return null;
  if (header.length === 1 && !(hasBorder && isBorderedFrom(block, newline + 1))) return null;
  const lines = block.split("\n").map(trimSpaces);
  const columns = header.length;
  const rows: string[][] = [];
  for (const line of lines.slice(2)) {
    if ((rows.length + 2) * columns > MAX_CELLS) break;
    const cells = splitRow(line, hasBorder);
    rows.push(header.map((_, i) => cells[i] ?? ""));
  }
  return { header, align: separator.map(alignmentOf), rows };
}

/**
 * Whether each line has a border. It stops at the first line without one, since the rest may be checked
 * again.
 */
function isBorderedFrom(block: string, from: number): boolean {
  for (let start = from; start <= block.length; ) {
    const newline = block.indexOf("\n", start);
    const end = newline === -1 ? block.length : newline;
    const line = trimSpaces(block.slice(start, end));
    if (!line.startsWith("|") && !endsWithBorder(line)) return false;
    start = end + 1;
  }
  return true;
}

export function addTable(parent: Element, table: Table): void {
  const element = addChild(parent, "table");
  addRow(addChild(element, "thead"), "th", table.header, table.align);
  const body = addChild(element, "tbody");
  for (const row of table.rows) addRow(body, "td", row, table.align);
  if (table.rows.length === 0)
    addRow(
      body,
      "td",
      table.header.map(() => ""),
      [],
    );
}

function addRow(parent: Element, tag: string, cells: string[], align: string[]): void {
  const row = addChild(parent, "tr");
  cells.forEach((cell, i) => {
    addChild(row, tag, trimSpaces(cell), !align[i] ? "" : ` style="text-align: ${align[i]};"`);
  });
}

function alignmentOf(cell: string): string {
  const marks = trimSpaces(cell);
  const isLeft = marks.startsWith(":");
  if (marks.endsWith(":")) return isLeft ? "center" : "right";
  return isLeft ? "left" : "";
}

function splitRow(row: string, hasBorder: boolean): string[] {
  if (!hasBorder) return splitAtPipes(row);
  const start = row.startsWith("|") ? 1 : 0;
  return splitAtPipes(row.slice(start, endsWithBorder(row) && row.length > start ? -1 : undefined));
}

/** A pipe at the end, unless backslashes escape it. */
function endsWithBorder(row: string): boolean {
  return /(?<!\\)(?:\\\\)*\|$/.test(row);
}

const MARK = /\\\\|\\`+|`+|\\\||\|/g;

/** Cells between pipes that are neither escaped nor inside code. */
function splitAtPipes(row: string): string[] {
  const marks = [...row.matchAll(MARK)];
  const lastOfSize = new Map<number, number>();
  marks.forEach((mark, i) => {
    if (mark[0].endsWith("`")) lastOfSize.set(mark[0].replace("\\", "").length, i);
  });
  const cells: string[] = [];
  let start = 0;
  for (let i = 0; i < marks.length; i++) {
    const mark = marks[i]!;
    if (mark[0] === "|") {
      cells.push(row.slice(start, mark.index));
      start = mark.index + 1;
    } else if (mark[0].startsWith("`")) i = closingMark(marks, i, lastOfSize);
  }
  cells.push(row.slice(start));
  return cells;
}

function closingMark(marks: RegExpExecArray[], open: number, lastOfSize: Map<number, number>): number {
  const size = marks[open]![0].length;
  if ((lastOfSize.get(size) ?? -1) <= open) return open;
  for (let i = open + 1; i < marks.length; i++) {
    const text = marks[i]![0];
    if (text.endsWith("`") && text.replace("\\", "").length === size) return i;
  }
  return open;
}

function trimSpaces(text: string): string {
  return text.replace(/^ +| +$/g, "");
}
