/**
 * A game day in short, with another seed in each run. `npm run faults:day` has the long one. What the three
 * installations of the long one have, two have here, by turns that the seed chooses.
 */
import { beforeAll, expect, test } from "vitest";
import { build } from "../../e2e/parley.ts";
import { seed } from "../../harness/seed.ts";
import { runDay } from "./day.ts";
import type { Kind } from "./installation.ts";

/** Faults begin in this time. What they broke has to be well again after it, too. */
const OWN_MS = 80_000;
const OUTSIDE_MS = 40_000;

beforeAll(build);

const days: [name: string, lastsMs: number, kind: Kind][] = [
  ["its own database", OWN_MS, { isOutside: false, hasLogFile: seed % 2 === 0, hasBucket: seed % 4 < 2 }],
  ["a database outside", OUTSIDE_MS, { isOutside: true, hasLogFile: seed % 2 === 1, hasBucket: false }],
];

test.each(days)(
  `a server with %s keeps its promises on a short game day (PARLEY_SEED=${seed})`,
  { timeout: 600_000 },
  async (name, lastsMs, kind) => {
    const say = (line: string) => console.log(line);
    say(`PARLEY_SEED=${seed}: a server with ${name}, ${JSON.stringify(kind)}`);
    const report = await runDay({ kind, seed, lastsMs, say });
    say(`${name}, all checked: ${report}`);
    expect(report.rounds.length).toBeGreaterThan(0);
    expect(report.load?.sends.acknowledged).toBeGreaterThan(0);
  },
);
