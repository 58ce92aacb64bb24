// The text of docs/costs.md.

/**
 * @typedef {object} VerbCosts what one call of a verb costs
 * @property {string[]} statements
 * @property {number} roundTrips
 * @property {number} rowsReceived
 * @property {Record<string, number>} rowsWritten
 * @property {number} walRecords
 * @property {number} walBytes
 * @property {{ who: string, event: string, bytes: number }[]} events
 */
/** @typedef {{ verbs: Record<string, VerbCosts>, reasons: { why: string, changes: string[] }[] }} Ledger */
/**
 * @typedef {object} Times processor times, as multiples of a bare answer's
 * @property {string} measuredAt
 * @property {string} node
 * @property {number} processors
 * @property {number} bareMicroseconds
 * @property {Record<string, { node: number, database: number }>} verbs
 */

const introduction = `# What a verb costs

This page is made by \`node tools/costs.js\` from the ledger of costs, \`bench/results/ledger.json\`. It says what
each verb of a working day costs, in things that can be counted, so that nobody makes a verb dearer without
knowing. A test, \`test/costs/ledger.test.ts\`, counts again and fails if anything differs.
[Decision 55](decisions/0055-a-ledger-of-costs.md) has the reasons.

## When a verb costs something else

The test says which verb became dearer or cheaper, and by what. If that is meant, one command writes the
ledger and this page:

    node tools/costs.js --write "why it is worth that"

The ledger is committed with the change that causes the difference. The reason may be left out where verbs
only become cheaper. Otherwise it is kept in the ledger and [below](#why-verbs-became-dearer).

\`npm run bench cost -- --write "why it is worth that"\` does the same, and measures the processor times too.
It takes about a minute.

## What is counted
`;

const table = `
One caller makes one call, alone, in an organization with a handful of people. The server has no other node
beside it, and the followers of the log rest: what jobs, the word index or missed mail do later is not in the
table. Two calls warm up. The cheapest of the next five counts, since timers write now and then.
`;

const explanations = `
- **Statements** are all that the call sends to PostgreSQL, \`begin\` and \`commit\` included. An **unnamed** one
  is put together for the call, so PostgreSQL parses and plans it each time. The others are prepared once for
  each connection.
- **Round trips** are the longest chain of statements that wait for each other. A statement that is sent after
  the answer to another one of the same call makes the chain longer by one. What is sent before that answer,
  on any connection, belongs to the same round trip. So statements that are pipelined count once, as do a
  \`commit\` that is sent with the statement before it and a \`begin\` that is sent with the one after it. The
  \`commit\` of a snapshot is a statement only, since nobody waits for it.
- **Rows received** are those that PostgreSQL returns to the server. **Rows written** are inserted, updated
  and deleted ones, by PostgreSQL's own counters of each table.
- **WAL** is what the call's connections add to PostgreSQL's write-ahead log: the records and their bytes,
  without images of whole pages after a checkpoint. The bytes may differ by a twentieth, since ids get longer.
- **Events** are those that two clients get, with all capabilities: the caller's own, and that of another
  member of the channel or the conversation. Each number in them counts as one byte.

A call on one of several nodes asks for the head of the log first, and notifies the others afterwards.
`;

const timing = `
## Processor time

\`npm run bench cost\` measures the processor time of Node and of PostgreSQL for the same calls: one caller, who
sends the next call when the last is answered. A bare \`node:http\` server answers the same caller in the same
run, twice between two calls, and its time for an answer is the unit. So what slows down one process slows
down both. The times are medians of three turns. They include what followers and jobs do meanwhile.
`;

const limits = `
\`.ci/run\` measures them again by \`npm run bench cost -- --compare\`. It refuses a verb that takes more than
twice what is written here and one bare answer besides, in Node or in Node and PostgreSQL together. A verb
that seems too dear is measured again, twice at most, and is refused if it is too dear each time.

Noise does not reach that. Four runs on two processors with a load of 11 to 16 gave 0.5 to 1.35 times of what
a fifth had found, with a standard deviation of a fifth, and no verb had to be measured again. With such a
deviation, one measurement of a verb in a thousand finds twice as much by chance, and three in a row hardly
ever do.

A change of a hot path is measured beside its parent commit: \`npm run bench cost -- --beside=DIR\`, where DIR
is a built checkout of that. Both servers live at the same time, and blocks of calls alternate between them.
Where three runs of each, one after the other, gave 6.3 to 10.5 and 5.7 to 7.1 bare answers for a send, this
gave 2,076 and 2,161 µs, and less than 2 % of difference for a sign-in, a poll and a mark.
`;

/** @param {Ledger} ledger @param {Times} times */
export function makePage({ verbs, reasons }, times) {
  return [
    introduction,
    figures(verbs),
    table,
    explanations,
    "\n## Statements and rows of each verb\n\n",
    Object.entries(verbs)
      .map(([name, costs]) => details(name, costs))
      .join(""),
    timing,
    processorTimes(times),
    limits,
    "\n## Why verbs became dearer\n\n",
    reasons.length === 0 ? "No verb has become dearer so far.\n" : reasons.map(told).join(""),
  ].join("");
}

/** @param {Record<string, VerbCosts>} verbs */
function figures(verbs) {
  const rows = Object.entries(verbs).map(([name, costs]) => [
    name,
    costs.statements.length,
    costs.statements.filter((each) => each.endsWith("(unnamed)")).length,
    costs.roundTrips,
    costs.rowsReceived,
    Object.values(costs.rowsWritten).reduce((sum, count) => sum + count, 0),
    costs.walRecords,
    costs.walBytes,
    costs.events.length,
    costs.events.reduce((sum, { bytes }) => sum + bytes, 0),
  ]);
  const columns = [
    "verb",
    "statements",
    "unnamed",
    "round trips",
    "rows received",
    "rows written",
    "WAL records",
    "WAL bytes",
    "events",
    "their bytes",
  ];
  return `\n${tableOf(columns, rows)}`;
}

/** @param {Times} times */
function processorTimes({ measuredAt, node, processors, bareMicroseconds, verbs }) {
  const rows = Object.entries(verbs).map(([name, time]) => [name, short(time.node), short(time.database)]);
  const head = `\nA bare answer took ${Math.round(bareMicroseconds)} µs (${measuredAt}, ${processors} processors, Node ${node}).\n\n`;
  return `${head}${tableOf(["verb", "Node", "PostgreSQL"], rows)}`;
}

/** @param {string} name @param {VerbCosts} costs */
function details(name, { statements, rowsWritten, events }) {
  const rows = Object.entries(rowsWritten).map(([at, count]) => `${count} in \`${at}\``);
  const lines = [
    `- **${name}:** ${statements.length === 0 ? "no statement" : grouped(statements).join("; ")}.`,
    rows.length === 0 ? "" : `Rows written: ${rows.join(", ")}.`,
    events.length === 0
      ? ""
      : `Events: ${events.map(({ who, event, bytes }) => `\`${event}\` to the ${who} (${bytes} B)`).join(", ")}.`,
  ];
  return `${wrap(lines.filter((line) => line !== "").join(" "))}\n`;
}

/** Equal ones that follow each other, as one. @param {string[]} statements */
function grouped(statements) {
  /** @type {{ name: string, count: number }[]} */
  const groups = [];
  for (const name of statements) {
    const last = groups.at(-1);
    if (last?.name === name) last.count++;
    else groups.push({ name, count: 1 });
  }
  return groups.map(({ name, count }) => {
    const [, text, mark] = /^(.*?)( \(unnamed\))?$/.exec(name) ?? [];
    // A name that fits in no line is told table by table.
    const parts = text !== undefined && text.length > 100 ? text.split(", ") : [text];
    return `${parts.map((part) => `\`${part}\``).join(", ")}${count > 1 ? ` ${count} ×` : ""}${mark ?? ""}`;
  });
}

/** @param {{ why: string, changes: string[] }} reason */
function told({ why, changes }) {
  return `${wrap(`- ${why} (${changes.join("; ")})`)}\n`;
}

/** @param {string[]} columns @param {(string | number)[][]} rows */
function tableOf(columns, rows) {
  const lines = [columns, columns.map(() => "---"), ...rows];
  return lines.map((line) => `| ${line.join(" | ")} |\n`).join("");
}

/** @param {number} value */
function short(value) {
  return value >= 10 ? String(Math.round(value)) : value.toFixed(1);
}

/** An item of a list, at most 110 columns wide. @param {string} text */
function wrap(text) {
  const lines = [""];
  // A name in backquotes stays on its line.
  for (const word of text.match(/(`[^`]*`|[^\s`])+/g) ?? []) {
    const line = /** @type {string} */ (lines.at(-1));
    if (line !== "" && line.length + 1 + word.length > 108) lines.push(`  ${word}`);
    else lines[lines.length - 1] = line === "" ? word : `${line} ${word}`;
  }
  return lines.join("\n");
}
