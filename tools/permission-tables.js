// Reads a table of test/permissions/expected/, and writes it for a page.
import { roles as inOrder } from "../test/permissions/roles.js";

/**
 * @typedef {{ roles: string[], cells: string[] }} Line
 * @typedef {{
 *   name: string, address: string, summary: string, columns: string[], lines: Line[], notes: string[],
 * }} Table
 */

/** @param {string} block @returns {Table} */
export function parseBlock(block) {
  const [first = "", ...rest] = block.split("\n");
  const [, name = "", address = "", summary = ""] = /^(.+?) = (\w+ \S+): (.*)$/.exec(first) ?? [];
  const notes = rest.filter((line) => /^ {2}[a-z] = /.test(line)).map((line) => line.trim());
  const lines = rest.filter((line) => !/^ {2}[a-z] = /.test(line));
  const hasColumns = lines[0]?.startsWith("   ") ?? false;
  const columns = hasColumns ? split(lines.shift() ?? "") : [""];
  return { name, address, summary, columns, notes, lines: lines.map(parseLine) };
}

/** @param {string} line @returns {Line} */
function parseLine(line) {
  const [roles = "", ...cells] = split(line);
  return { roles: roles.split(", "), cells };
}

/** @param {string} line */
function split(line) {
  return line.trim().split(/ {2,}/);
}

/**
 * Calls that are about no channel share a table: a line each, a column for each role.
 * @param {Table[]} tables
 */
export function rolesTable(tables) {
  const roles = [...new Set(tables.flatMap(({ lines }) => lines.flatMap((line) => line.roles)))];
  const order = /** @type {readonly string[]} */ (inOrder);
  roles.sort((one, other) => order.indexOf(one) - order.indexOf(other));
  /** @type {Map<string, string>} */
  const notes = new Map();
  const rows = tables.map((table) => {
    const cellOf = (/** @type {string} */ role) => {
      const cell = table.lines.find((line) => line.roles.includes(role))?.cells[0] ?? "";
      return shared(cell, table, notes);
    };
    return [`${titleOf(table)}`, ...roles.map(cellOf)];
  });
  const table = markdownTable(["", ...roles], rows);
  return `${table}${noteList([...notes].map(([note, letter]) => `${letter} = ${note}`))}`;
}

/**
 * Gives a refusal the letter that it has in the table that several calls share.
 * @param {string} cell
 * @param {Table} table
 * @param {Map<string, string>} notes
 */
function shared(cell, table, notes) {
  if (!/^[a-z]$/i.test(cell)) return cell;
  const note = table.notes.find((each) => each.startsWith(`${cell.toLowerCase()} = `))?.slice(4) ?? "";
  const letter = notes.get(note) ?? letterAt(notes.size);
  notes.set(note, letter);
  return cell === cell.toUpperCase() ? letter.toUpperCase() : letter;
}

/** a to z, then aa, ab and so on. @param {number} index @returns {string} */
function letterAt(index) {
  const last = String.fromCharCode(97 + (index % 26));
  return index < 26 ? last : letterAt(Math.floor(index / 26) - 1) + last;
}

/** @param {Table} table */
export function channelTable(table) {
  const rows = table.lines.map(({ roles, cells }) => [roles.join(", "), ...cells]);
  const body = markdownTable(["", ...table.columns], rows);
  return `### ${titleOf(table)}\n\n${body}${noteList(table.notes)}`;
}

/** @param {Table} table */
function titleOf({ name, address, summary }) {
  const variant = / \((.*)\)$/.exec(name)?.[1];
  return `${summary}${variant === undefined ? "" : `, ${variant}`} — \`${address}\``;
}

/** @param {string[]} heads @param {string[][]} rows */
export function markdownTable(heads, rows) {
  const lines = [heads, heads.map((_, index) => (index === 0 ? "---" : ":-:")), ...rows];
  return `${lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n")}\n`;
}

/** @param {string[]} notes */
function noteList(notes) {
  const list = notes.map((note) => note.replace(/^(\w+) = \w+: (.*)$/, "- **$1**: $2"));
  return list.length > 0 ? `\n${list.join("\n")}\n` : "";
}
