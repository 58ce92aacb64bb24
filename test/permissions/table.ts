/**
 * The tables of who may call each endpoint, as text: one file for each subject in `expected/`, one block for
 * each endpoint. They are compared with what the server does. tools/permissions.js makes
 * `docs/permissions.md` from them and says how they are read.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { type Sample, wordsOf } from "./sample-call.ts";

/** The outcome of one call. */
export type Cell =
  | { is: "allowed" }
  /** Refused in exactly the words that are used for a thing that does not exist. */
  | { is: "absent" }
  /** Answered in exactly the words that are used for a thing that does not exist. */
  | { is: "empty" }
  /** Refused because the required credentials are missing. */
  | { is: "signedOut" }
  /**
   * `reveals`: to someone who may not know that the thing is there, in other words than for one that is not.
   */
  | { is: "refused"; error: string; reveals: boolean };

export interface Row {
  role: string;
  /** One text of cells for each column, a cell for each standing in it. */
  columns: readonly Cell[][];
}

export interface Table {
  sample: Sample;
  columns: readonly string[];
  rows: readonly Row[];
}

const folder = new URL("expected/", import.meta.url);
const symbols = { allowed: "✓", absent: "·", empty: "○", signedOut: "⊘" } as const;

export const ADVICE = "look at what it does, and if it is right: node tools/permissions.js --write";

/** The block of a table. Roles with the same outcomes share a line. */
export function writeTable({ sample, columns, rows }: Table): string {
  const { name, endpoint } = sample;
  const letters = lettersOf(rows);
  const lines = new Map<string, string[]>();
  const texts = rows.map(({ columns: cells }) =>
    cells.map((list) => list.map((cell) => symbolOf(cell, letters))),
  );
  const widths = columns.map((title, index) =>
    Math.max(title.length, ...texts.map((row) => (row[index] ?? []).join(" ").length)),
  );
  const pad = (cells: readonly string[]) =>
    cells
      .map((cell, index) => cell.padEnd(widths[index] as number))
      .join("  ")
      .trimEnd();
  for (const [index, { role }] of rows.entries()) {
    const line = pad((texts[index] as string[][]).map((list) => list.join(" ")));
    lines.set(line, [...(lines.get(line) ?? []), role]);
  }
  const names = [...lines].map(([line, list]) => ({ line, list: list.join(", ") }));
  const width = Math.max(0, ...names.map(({ list }) => list.length));
  const heading = columns.some((title) => title !== "") ? [`  ${" ".repeat(width)}  ${pad(columns)}`] : [];
  return [
    `${name} = ${endpoint.method} ${endpoint.path}: ${endpoint.summary}`,
    ...heading,
    ...names.map(({ line, list }) => `  ${list.padEnd(width)}  ${line}`),
    ...[...letters].map(([error, letter]) => `  ${letter} = ${error}: ${wordsOf(endpoint, error)}`),
  ].join("\n");
}

/** One letter for each error, in the order in which they first appear. */
function lettersOf(rows: readonly Row[]): Map<string, string> {
  const letters = new Map<string, string>();
  for (const cell of rows.flatMap(({ columns }) => columns.flat())) {
    if (cell.is === "refused" && !letters.has(cell.error)) {
      letters.set(cell.error, String.fromCharCode("a".charCodeAt(0) + letters.size));
    }
  }
  return letters;
}

function symbolOf(cell: Cell, letters: ReadonlyMap<string, string>): string {
  if (cell.is !== "refused") return symbols[cell.is];
  const letter = letters.get(cell.error) as string;
  return cell.reveals ? letter.toUpperCase() : letter;
}

/** The wording of summaries and errors is not what a table is about. */
export function withoutWords(block: string): string {
  return block.replace(/^(\w+.* = \w+ \S+| {2}[a-z] = \w+): .*$/gm, "$1");
}

/** The blocks of all files, by the endpoint's name. */
export function readBlocks(): Map<string, string> {
  const blocks = new Map<string, string>();
  if (!existsSync(folder)) return blocks;
  for (const file of readdirSync(folder).sort()) {
    const text = readFileSync(new URL(file, folder), "utf8");
    for (const block of text.trimEnd().split("\n\n")) {
      const name = /^(\w+.*?) = /.exec(block)?.[1];
      if (name !== undefined) blocks.set(name, block);
    }
  }
  return blocks;
}

/** Writes one file for each subject, in the order of the contract. */
export function writeBlocks(samples: readonly Sample[], blocks: ReadonlyMap<string, string>): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [index, subject] of [...new Set(samples.map(({ endpoint }) => endpoint.subject))].entries()) {
    const own = samples.filter(({ endpoint }) => endpoint.subject === subject);
    const texts = own.map((each) => blocks.get(each.name)).filter((block) => block !== undefined);
    const slug = subject.toLowerCase().replace(/[^a-z]+/g, "-");
    const file = `${String(index + 1).padStart(2, "0")}-${slug}.txt`;
    if (texts.length > 0)
      writeFileSync(new URL(file, folder), `${[`# ${subject}`, ...texts].join("\n\n")}\n`);
  }
}
