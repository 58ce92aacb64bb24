/**
 * The processor time of each verb of a working day, as a multiple of a bare answer's. The other costs of
 * these verbs are counted by a test (docs/costs.md). `--write=WHY` writes both down, and `--compare` refuses
 * verbs that take far more time than is written. `--beside=DIR` compares with another checkout in turns, and
 * `--verb=NAME` only that verb.
 */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { openWorld, PASSWORD } from "./cost/bench-world.ts";
import { CostTimes, type Measured, type Multiples } from "./cost/times.ts";
import { tooDear } from "./cost/too-dear.ts";
import { comparedVerbs, compareTimes, inTurns, startSide } from "./cost/turns.ts";
import { type Verb, verbs } from "./cost/verbs.ts";
import {
  besideCheckout,
  comparedVerb,
  isComparing,
  isSaving,
  reasonToWrite,
  size,
} from "./harness/options.ts";
import { HEAP_FLAGS, startBareServer, startParley } from "./harness/processes.ts";
import { checkRest, printTable, type Row, save } from "./harness/report.ts";
import { scenario } from "./harness/scenario.ts";

const TURNS = size(3, 1);
/** The server compiles its code meanwhile. */
const WARM_UP_TURNS = 1;
/** How often verbs that seem too dear are measured again. */
const MORE_TRIES = 2;
const CALLS = size(40, 3);
/** A tenth of a second of hashing each, and answers of some milliseconds. */
const FEWER: Record<string, number> = { "sign-in": 6, register: 12, "a page of history": 20 };
/** Blocks of a verb on each checkout. So many show a difference of some percent on a busy machine. */
const COMPARED_TURNS = size(25, 1);
const COMPARED_WARM_UP = size(3, 0);

await scenario(async () => {
  checkRest();
  if (besideCheckout !== undefined) return compareCheckouts(besideCheckout);
  // First, since it refuses to go on without a reason.
  if (reasonToWrite !== undefined) runTool("--write", reasonToWrite);
  const parley = await startParley({ people: 10, keys: 10, subscribers: 10, password: PASSWORD });
  const times = new CostTimes(parley, await startBareServer(), await openWorld(parley));
  await times.measure(verbs, WARM_UP_TURNS, callsOf);
  const measured = await times.measure(verbs, TURNS, callsOf);
  print(measured);
  save("cost", { bareMicroseconds: measured.bare, verbs: measured.verbs });
  if (isSaving) runTool();
  if (isComparing) await compare(times, measured.verbs);
});

async function compareCheckouts(other: string): Promise<void> {
  const [here, there] = await Promise.all([startSide(process.cwd()), startSide(resolve(other))]);
  const rows: Row[] = [];
  for (const verb of comparedVerbs(here.verbs, there.verbs, comparedVerb)) {
    const block = { verb, calls: callsOf({ name: verb }) };
    const turns = { turns: COMPARED_TURNS, warmUp: COMPARED_WARM_UP };
    rows.push(compareTimes(verb, await inTurns([here.measure, there.measure], block, turns)));
  }
  printTable(`processor time of one call, in turns beside ${other}; a ratio below 1 is cheaper here`, rows);
}

function callsOf({ name }: Pick<Verb, "name">): number {
  return Math.min(CALLS, FEWER[name] ?? CALLS);
}

function print({ bare, verbs }: Measured): void {
  printTable(
    `processor time of one call, ${HEAP_FLAGS.join(" ")}; a bare answer takes ${bare.toFixed(0)} µs`,
    Object.entries(verbs).map(([verb, { node, database }]) => ({
      verb,
      "node, bare answers": node,
      "PostgreSQL, bare answers": database,
      "node µs": node * bare,
      "PostgreSQL µs": database * bare,
    })),
  );
}

/** Fails the scenario if a verb is too dear in each of several measurements. */
async function compare(times: CostTimes, first: Multiples): Promise<void> {
  const known = JSON.parse(readFileSync("bench/results/cost.json", "utf8")).verbs as Multiples;
  let dear = tooDear(known, first);
  for (let tries = 0; tries < MORE_TRIES && dear.length > 0; tries++) {
    console.log(`\nmeasured again, since they seem too dear: ${dear.map(({ verb }) => verb).join(", ")}`);
    const again = verbs.filter(({ name }) => dear.some(({ verb }) => verb === name));
    dear = tooDear(known, (await times.measure(again, TURNS, callsOf)).verbs);
  }
  for (const { change } of dear) console.error(change);
  if (dear.length === 0) {
    console.log("\nNo verb takes far more processor time than is saved.");
    return;
  }
  console.error('If that is meant: npm run bench cost -- --write="why it is worth that"');
  process.exitCode = 1;
}

/** Ends the scenario if it fails. */
function runTool(...words: string[]): void {
  const { status } = spawnSync(process.execPath, ["tools/costs.js", ...words], { stdio: "inherit" });
  if (status !== 0) throw new Error("tools/costs.js failed");
}
