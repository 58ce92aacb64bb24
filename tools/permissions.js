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
import { channelTable, parseBlock, rolesTable } from "./permission-tables.js";

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

/** @param {string} file */
function read(file) {
  return readFileSync(file, "utf8");
}
