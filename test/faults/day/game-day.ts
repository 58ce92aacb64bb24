// PARLEY_DAY_MINUTES: how long it lasts, 30 by default. PARLEY_DAY_SEED: the seed of a day to have again.
// PARLEY_DAY_ONLY: the name of a fault, which alone happens, once. tools/game-day.js sets them.

import { randomInt } from "node:crypto";
import { afterAll, beforeAll, test, vi } from "vitest";
import { build } from "../../e2e/parley.ts";
import { dayFaults, runDay } from "./day.ts";
import type { Kind } from "./installation.ts";

const minutes = Number(process.env.PARLEY_DAY_MINUTES ?? 30);
const seed = Number(process.env.PARLEY_DAY_SEED ?? randomInt(2 ** 31));
const only = process.env.PARLEY_DAY_ONLY || undefined;

const days: { name: string; kind: Kind; faults: (name: string) => boolean }[] = [
  {
    name: "a server with its own database, its log in a pipe",
    kind: { isOutside: false, hasLogFile: false, hasBucket: false },
    faults: (name) => !/outside|bucket|disk of the log/.test(name),
  },
  {
    name: "a server with its own database, its log on a disk and its files in a bucket",
    kind: { isOutside: false, hasLogFile: true, hasBucket: true },
    faults: (name) => /bucket|disk of the log/.test(name),
  },
  {
    name: "a server with a database outside",
    kind: { isOutside: true, hasLogFile: false, hasBucket: false },
    faults: (name) => name.includes("outside"),
  },
];

const chosen = only === undefined ? days : days.filter(({ faults }) => faults(only));
const eachMs = (minutes * 60_000) / chosen.length;
vi.setConfig({ testTimeout: eachMs + 600_000 });

beforeAll(build);
beforeAll(() => {
  if (only !== undefined && dayFaults[only] === undefined) {
    throw new Error(`There is no fault '${only}'. There are:\n${Object.keys(dayFaults).join("\n")}`);
  }
  console.log(`seed ${seed}, ${minutes} minutes`);
});
afterAll(() => console.log(`npm run faults:day -- --seed=${seed} --minutes=${minutes} has this day again`));

test.each(chosen)("$name keeps its promises, whatever breaks", async ({ name, kind }) => {
  const report = await runDay({
    kind,
    seed,
    lastsMs: eachMs,
    only,
    say: (line) => console.log(line),
  });
  console.log(`${name}, all checked: ${report}`);
});
