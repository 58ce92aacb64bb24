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

This page is made by \`node tools/permissions.js\` from the tables in \`test/permissions/expected/\`. A test
compares the tables with the server: it calls every endpoint with its sample call, in every role. Calls about
a channel or a message are also made in every kind of channel and by every kind of subscriber. To change this
page, change the tables.

The roles are: an owner, an administrator and a moderator; a full member, and a new member who is still in the
waiting period; a guest; a bot, which here is a full member. A stranger owns another organization on the same
server, and uses its address to call with IDs and names of this organization. Nobody is a caller without
credentials. The organization has the default settings, and allows public access. Permissions of a group, a
channel or the organization can allow the people that they name more than these tables show.

| | |
| --- | --- |
| ✓ | allowed: the call succeeds, with what the role may do or see |
| · | refused with the same error as for something that does not exist |
| ○ | answered with the same response as for something that does not exist |
| ⊘ | must sign in first |
| a, b … | refused with the error below the table |
| A, B … | refused with an error that reveals that the thing exists, and nothing else: only where clients expect it |

Each kind of channel has three symbols: for a **subscriber**, a **former subscriber** and someone who was
**never subscribed**. A call that names a message has five. A subscriber has two: for a message that they
received, and for one from before they subscribed. A former subscriber has two: for a message that they
received, and for one from after they left. Someone who was never subscribed has one, for any message. The
stranger and nobody were never subscribed.
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
