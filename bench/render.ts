/**
 * Rendering a message's text as HTML, and its share of a send's time. The renderer is called in this
 * process. All times are processor time, so other load on the machine changes them little. The baseline
 * does the least that any renderer must.
 */

import { castLookups } from "../markdown/cases/cast.ts";
import { BUDGET_MS, hostileLookups, hostileTexts } from "../markdown/cases/hostile.ts";
import { escapeText } from "../markdown/escape.ts";
import type { Lookups } from "../markdown/lookups.ts";
import { compileLinkifier } from "../markdown/node/linkifier-re2.ts";
import { createServerRenderer } from "../markdown/node/renderer.ts";
import { median } from "./harness/figures.ts";
import { makeMessages } from "./harness/messages.ts";
import { size } from "./harness/options.ts";
import { checkRest, printGoal, printTable, save } from "./harness/report.ts";
import { scenario } from "./harness/scenario.ts";

const MESSAGES = size(20_000, 200);
const ROUNDS = size(5, 2);
const WORST_SHOWN = 8;

const renderer = createServerRenderer();

interface Kind {
  what: string;
  /** The texts of each round. They differ by round where a renderer caches its results. */
  texts(round: number): string[];
  lookups: Lookups;
}

const asWritten = makeMessages(MESSAGES);
const kinds: readonly Kind[] = [
  { what: "as people write: 30 % with Markdown", texts: () => asWritten, lookups: castLookups() },
  { what: "the same, with two patterns", texts: () => asWritten, lookups: withPatterns() },
  { what: "a few plain words", texts: many("Soup today, or is there bread left?"), lookups: castLookups() },
  {
    what: "a bit of everything",
    texts: many(
      "@**Ada Osei** see #**general>lunch**: the **new** _recipe_ is in `soup.md`, https://example.com/soup :smile: <time:2024-05-06T07:08:09Z>\n\n* leek\n* salt",
    ),
    lookups: castLookups(),
  },
  {
    what: "a quoted answer",
    texts: many(
      "@_**Ada Osei|1** [said](https://chat.example.com/#narrow/channel/4-general/topic/lunch/near/9):\n```quote\nSoup today?\n```\nYes, please.",
    ),
    lookups: castLookups(),
  },
  { what: "ten lines of code, new", texts: few(codeBlock), lookups: castLookups() },
  {
    what: "a formula, new",
    texts: few((n) => `So $$x_{${n}}^2 + \\frac{1}{n}$$ it is`),
    lookups: castLookups(),
  },
];

let charactersWritten = 0;

await scenario(async () => {
  checkRest();
  const rows = kinds.map((kind) => {
    const rendered = measure(kind, (text) => renderer.render(text, kind.lookups).html);
    const baseline = measure(kind, escapeParagraphs);
    const texts = kind.texts(0);
    const characters = texts.reduce((sum, text) => sum + text.length, 0) / texts.length;
    return { what: kind.what, characters, rendered, baseline };
  });
  printTable(
    "Microseconds a message",
    rows.map(({ what, characters, rendered, baseline }) => ({
      what,
      characters: Math.round(characters),
      rendered,
      "only escaped": baseline,
      "times that": rendered / baseline,
    })),
  );
  const hostile = measureHostile();
  printTable(
    "Ten thousand characters that were made to take long: the slowest",
    hostile.slice(0, WORST_SHOWN).map(({ what, ms }) => ({ what, ms })),
  );
  const [worst] = hostile as [(typeof hostile)[number]];
  console.log(`\n${charactersWritten.toLocaleString("en")} characters of HTML were written.`);
  printGoal(`the slowest of ${hostile.length}, ms`, worst.ms, { most: BUDGET_MS });
  save("render", { rows, hostile });
});

/** The median of several rounds, in microseconds a text; the first round warms up. */
function measure({ texts }: Kind, work: (text: string) => string): number {
  const rounds: number[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const list = texts(round);
    const took = spent(() => {
      for (const text of list) charactersWritten += work(text).length;
    });
    if (round > 0) rounds.push((took * 1000) / list.length);
  }
  return median(rounds);
}

/**
 * The least of three: a hostile text must be slow by itself, not because of garbage collection for other
 * texts.
 */
function measureHostile(): { what: string; ms: number }[] {
  const lookups = hostileLookups();
  const times = Object.entries(hostileTexts).map(([what, text]) => {
    const rounds = [0, 1, 2].map(() =>
      spent(() => {
        charactersWritten += renderer.render(text, lookups).html.length;
      }),
    );
    return { what, ms: Math.min(...rounds) };
  });
  return times.sort((a, b) => b.ms - a.ms);
}

/** Processor time of some work, in milliseconds. */
function spent(work: () => void): number {
  const began = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(began);
  return (user + system) / 1000;
}

function escapeParagraphs(text: string): string {
  const paragraphs = text.split("\n\n").map((paragraph) => `<p>${escapeText(paragraph)}</p>`);
  return paragraphs.join("\n").replaceAll("\n", "<br>\n");
}

function withPatterns(): Lookups {
  return castLookups({
    linkifiers: [
      compileLinkifier("#(?P<id>[0-9]+)", "https://tasks.example/{id}"),
      compileLinkifier("(?P<project>[A-Z]{2,8})-(?P<id>[0-9]+)", "https://tasks.example/{project}/{id}"),
    ],
  });
}

function many(text: string): Kind["texts"] {
  const texts = Array.from({ length: MESSAGES }, () => text);
  return () => texts;
}

/** Texts that take hundreds of times as long, each different. */
function few(text: (n: number) => string): Kind["texts"] {
  const count = MESSAGES / 100;
  return (round) => Array.from({ length: count }, (_, n) => text(round * count + n));
}

function codeBlock(n: number): string {
  const body = Array.from({ length: 10 }, (_, line) => `const soup${line} = cook("leek", ${n}); // ${line}`);
  return `\`\`\`ts\n${body.join("\n")}\n\`\`\``;
}
