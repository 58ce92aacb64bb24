// Writes the table of figures in docs/performance.md from bench/results/, which `npm run bench -- --save`
// makes.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const page = path.join(root, "docs", "performance.md");
const BEGIN = "<!-- From here on made by tools/performance.js -->";
const END = "<!-- To here -->";

/**
 * @typedef {object} Goal
 * @property {string} what
 * @property {string} scenario its name under bench/
 * @property {(figures: any) => number | undefined} read
 * @property {number} [least]
 * @property {number} [most]
 * @property {string} [unit]
 * @property {(figures: any) => string} [beside] what is told with the figure
 */

/** @type {Goal[]} */
const goals = [
  {
    what: "Durable sends/s, 64 senders, against a bare `node:http` server",
    scenario: "send",
    read: ({ ratio }) => ratio,
    least: 0.6,
    beside: ({ rounds, fsync }) => {
      const own = rounds.filter((/** @type {any} */ each) => each.heap.startsWith("--"));
      const perSecond = median(own.map((/** @type {any} */ each) => each.parley.perSecond));
      const bare = median(own.map((/** @type {any} */ each) => each.bare.perSecond));
      const batch = median(own.map((/** @type {any} */ each) => each.spent.batch));
      return `${write(perSecond)}/s against ${write(bare)}/s, ${write(batch)} a commit, ${write(fsync)} fdatasync/s`;
    },
  },
  {
    what: "Sends/s with 10,000 subscribers against 10",
    scenario: "subscribers",
    read: ({ ratio }) => ratio,
    least: 0.9,
  },
  {
    what: "Send to receive, 50 sends/s to 100 listeners, above a bare fan-out: p50",
    scenario: "latency",
    read: ({ above }) => above.p50Ms,
    most: 4,
    unit: "ms",
  },
  { what: "… p99", scenario: "latency", read: ({ above }) => above.p99Ms, most: 10, unit: "ms" },
  {
    what: "… the longest collection of young objects",
    scenario: "latency",
    read: ({ spent }) => spent.longestScavengeMs,
    most: 5,
    unit: "ms",
  },
  {
    what: "Answers/s to 1,000 listeners, one event each, against a bare server",
    scenario: "fanout",
    read: ({ ratio }) => ratio,
    least: 1.5,
  },
  {
    what: "Deliveries/s to 1,000 listeners with 16 sends in flight",
    scenario: "fanout",
    read: ({ deliveries }) => deliveries,
    least: 200_000,
  },
  {
    what: "Resident memory of an idle held poll with its queue, against a bare held request",
    scenario: "idle",
    read: ({ ratio }) => ratio,
    most: 1.5,
  },
  {
    what: "`/register` with everything, 1,000 channels, 10,000 people: p50",
    scenario: "register",
    read: ({ one }) => one.result.p50Ms,
    most: 50,
    unit: "ms",
  },
  { what: "… p99", scenario: "register", read: ({ one }) => one.result.p99Ms, most: 150, unit: "ms" },
  {
    what: "… with 1,000 own channels and statistics from before the growth: p50",
    scenario: "register",
    read: ({ stale }) => stale?.result.p50Ms,
    most: 50,
    unit: "ms",
  },
  {
    what: "An edit in a channel with 5,000 subscribers who have a queue: p50",
    scenario: "edit",
    read: ({ edited }) => edited.answered.p50Ms,
    most: 15,
    unit: "ms",
    beside: ({ sent }) => `a send: ${write(sent.answered.p50Ms)} ms`,
  },
  {
    what: "… the event loop's stall: p50",
    scenario: "edit",
    read: ({ edited }) => edited.stalled.p50Ms,
    most: 10,
    unit: "ms",
    beside: ({ sent }) => `a send: ${write(sent.stalled.p50Ms)} ms`,
  },
  {
    what: "100 messages anywhere in a channel of 1,000,000: p50",
    scenario: "history",
    read: ({ rows }) => rows[0].result.p50Ms,
    most: 5,
    unit: "ms",
  },
  { what: "… p99", scenario: "history", read: ({ rows }) => rows[0].result.p99Ms, most: 20, unit: "ms" },
  {
    what: "Search in 1,000,000 messages, the slowest kind: p50",
    scenario: "search",
    read: ({ rows }) => Math.max(...rows.map((/** @type {any} */ row) => row.result.p50Ms)),
    most: 20,
    unit: "ms",
  },
  {
    what: "… p99",
    scenario: "search",
    read: ({ rows }) => Math.max(...rows.map((/** @type {any} */ row) => row.result.p99Ms)),
    most: 100,
    unit: "ms",
  },
  {
    what: "A word sent right after 100,000 loaded messages is found",
    scenario: "search",
    read: ({ loaded }) => loaded?.foundMsAfter,
    most: 1000,
    unit: "ms",
  },
  {
    what: "1,500 messages of 10,000 characters at once: the longest wait of `/health`",
    scenario: "heavy",
    read: ({ health }) => health?.maxMs,
    most: 100,
    unit: "ms",
    beside: ({ health }) => `p99 ${write(health.p99Ms)} ms`,
  },
  {
    what: "100 joins/s beside every verb: server errors",
    scenario: "joins",
    read: ({ failed }) => failed,
    most: 0,
  },
  {
    what: "… p99 of the slowest verb, joins included",
    scenario: "joins",
    read: ({ slowest }) => slowest,
    most: 500,
    unit: "ms",
  },
  {
    what: "The demo organization's server at rest: RSS",
    scenario: "rest",
    read: ({ memory }) => memory?.atRestMB,
    most: 95,
    unit: "MB",
  },
  {
    what: "Start to ready on an existing data directory",
    scenario: "rest",
    read: ({ readyMs }) => median(readyMs),
    most: 1200,
    unit: "ms",
  },
  {
    what: "Sends beside 200 sign-ins at once: p99",
    scenario: "sign-in",
    read: ({ beside }) => beside.p99Ms,
    most: 50,
    unit: "ms",
    beside: ({ alone, seconds }) => `alone ${write(alone.p99Ms)} ms; all signed in after ${write(seconds)} s`,
  },
  {
    what: "A right password from a known network while 100 others guess: the slowest",
    scenario: "guessing",
    read: ({ known }) => known.maxMs,
    most: 1000,
    unit: "ms",
    beside: ({ aloneMs, guessesPerSecond, known, new: unknown }) =>
      `p50 ${write(known.p50Ms)} ms, alone ${write(aloneMs)} ms; ${write(guessesPerSecond)} guesses/s; new networks: p50 ${write(unknown.p50Ms)} ms`,
  },
  {
    what: "What one node has ended is refused by another: the slowest",
    scenario: "endings",
    read: ({ maxMs }) => maxMs,
    most: 1000,
    unit: "ms",
    beside: ({ ends, p50Ms }) => `p50 of ${write(ends)} ends: ${write(p50Ms)} ms`,
  },
];

const text = readFileSync(page, "utf8");
const [before, rest] = text.split(`${BEGIN}\n`);
const after = rest?.split(`${END}\n`)[1];
if (before === undefined || after === undefined) throw new Error(`${page} has lost the marks of its table`);
writeFileSync(page, `${before}${BEGIN}\n${table()}${END}\n${after}`);

function table() {
  const lines = goals.map((goal) => {
    const figures = read(goal.scenario);
    const value = figures && goal.read(figures);
    const cells =
      value === undefined
        ? ["not measured yet", ""]
        : [
            `${isReached(goal, value) ? "" : "**"}${write(value)}${unit(goal)}${isReached(goal, value) ? "" : "** (not reached)"}`,
            [
              goal.beside?.(figures),
              `${figures.measuredAt}, ${figures.processors} processors, Node ${figures.node}`,
            ]
              .filter(Boolean)
              .join("; "),
          ];
    return `| ${[goal.what, reach(goal), ...cells, `\`${goal.scenario}\``].join(" | ")} |`;
  });
  return `\n| what | reach | measured | | by |\n| --- | --- | --- | --- | --- |\n${lines.join("\n")}\n\n`;
}

/** @param {string} scenario */
function read(scenario) {
  const file = path.join(root, "bench", "results", `${scenario}.json`);
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined;
}

/** @param {Goal} goal @param {number} value */
function isReached({ least, most }, value) {
  return least === undefined ? value <= /** @type {number} */ (most) : value >= least;
}

/** @param {Goal} goal */
function reach(goal) {
  const { least, most } = goal;
  return least === undefined ? `≤ ${write(/** @type {number} */ (most))}${unit(goal)}` : `≥ ${write(least)}`;
}

/** @param {Goal} goal */
function unit(goal) {
  return goal.unit === undefined ? "" : ` ${goal.unit}`;
}

/** @param {number} value */
function write(value) {
  return value >= 100 ? Math.round(value).toLocaleString("en") : String(Number(value.toPrecision(2)));
}

/** @param {number[]} values */
function median(values) {
  return /** @type {number} */ ([...values].sort((a, b) => a - b)[values.length >> 1]);
}
