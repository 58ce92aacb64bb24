// The tables of permissions lie in test/permissions/expected/, and docs/permissions.md is made from them.
//
//   node tools/permissions.js               writes the page
//   node tools/permissions.js --check       fails when the page is stale
//   node tools/permissions.js --write       adds the missing tables as they turn out, and writes the page
//   node tools/permissions.js --write NAME  writes the table of a call again; `all` stands for all of them
//
// Read what was added or changed before you commit it: it says what the server does, not that this is right.
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = path.join(root, "test", "permissions", "expected");
const page = path.join(root, "docs", "permissions.md");

const introduction = `# Who may do what

This page is made by \`node tools/permissions.js\` from the tables in \`test/permissions/expected/\`, which a test compares
with what the server does: every endpoint is called with its sample call, as every role, and where it is about a channel
or a message also from every standing to every kind of channel. Change the tables, not this page.

The roles: an owner, an administrator and a moderator; a full member, and a new one who is still in the waiting period; a
guest; a bot, which here is a full member; a stranger, who owns another organization of the same server and calls under
its address whatever names something of ours; and nobody, who gives no credentials. The settings are those that a new
organization has, and people without an account may look in. People whom a permission of a group, a channel or the
organization names may do more than the tables say.

| | |
| --- | --- |
| ✓ | may: the call succeeds, and does or shows what the role may do or see |
| · | is told that there is no such thing, in the same words as if there were none |
| ○ | gets the same answer as if there were no such thing |
| ⊘ | must sign in first |
| a, b … | is refused, in the words below the table |
| A, B … | is refused in words that give away that there is something, and nothing else of it: only where clients expect these words |

In each kind of channel stand three marks, for who **is subscribed**, for who **was subscribed** and has left, and for who
**never was**. Where a call names a message there are five: for who is subscribed, a message that they received and one from
before they came; for who has left, a message that they had received and one from after they went; and for who never was
subscribed, any message. The stranger and nobody never were.
`;

/**
 * @typedef {{ roles: string[], cells: string[] }} Line
 * @typedef {{
 *   name: string, address: string, summary: string, columns: string[], lines: Line[], notes: string[],
 * }} Table
 */

const words = process.argv.slice(2);
if (words[0] === "--write") writeTables(words.slice(1));
const text = makePage();
if (words[0] !== "--check") {
  writeFileSync(page, text);
} else if (read(page) !== text) {
  console.error("docs/permissions.md is stale: run node tools/permissions.js");
  process.exitCode = 1;
}

/** Lets the test write what it finds. @param {string[]} names */
function writeTables(names) {
  const vitest = path.join(root, "node_modules", "vitest", "vitest.mjs");
  const { status } = spawnSync(process.execPath, [vitest, "run", "test/permissions/matrix.test.ts"], {
    cwd: root,
    stdio: "inherit",
    env: { ...process.env, PARLEY_WRITE_PERMISSIONS: names.length > 0 ? names.join(",") : "missing" },
  });
  process.exitCode = status ?? 1;
}

function makePage() {
  const parts = [introduction];
  for (const file of readdirSync(folder).sort()) {
    const [heading, ...blocks] = read(path.join(folder, file)).trimEnd().split("\n\n");
    const tables = blocks.map(parseBlock);
    parts.push(`#${heading}\n`);
    const plain = tables.filter(({ columns }) => columns.length === 1);
    if (plain.length > 0) parts.push(rolesTable(plain));
    for (const table of tables.filter(({ columns }) => columns.length > 1)) parts.push(channelTable(table));
  }
  return parts.join("\n");
}

/** @param {string} block @returns {Table} */
function parseBlock(block) {
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
function rolesTable(tables) {
  const roles = [...new Set(tables.flatMap(({ lines }) => lines.flatMap((line) => line.roles)))];
  const order = [
    "owner",
    "administrator",
    "moderator",
    "full member",
    "new member",
    "guest",
    "bot",
    "stranger",
    "nobody",
  ];
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
function channelTable(table) {
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
function markdownTable(heads, rows) {
  const lines = [heads, heads.map((_, index) => (index === 0 ? "---" : ":-:")), ...rows];
  return `${lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n")}\n`;
}

/** @param {string[]} notes */
function noteList(notes) {
  const list = notes.map((note) => note.replace(/^(\w+) = \w+: (.*)$/, "- **$1**: $2"));
  return list.length > 0 ? `\n${list.join("\n")}\n` : "";
}

/** @param {string} file */
function read(file) {
  return readFileSync(file, "utf8");
}
