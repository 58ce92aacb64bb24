/**
 * How soon what ends on one node ends on another: each of five causes against all that somebody holds of the
 * server. The time is from the answer to the change to the first refusal by the other node. Fails if one of
 * them takes more than the second that docs/security-model.md promises. The arrangement is that of the walk
 * in test/races, so it runs under vitest, with both nodes in one process.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { makeTemporaryDirectory } from "../server/platform/postgres/throw-away.ts";
import type { EndedAfter } from "../test/races/endings/held.ts";
import { spreadOf } from "./harness/figures.ts";
import { size } from "./harness/options.ts";
import { addCleanUp } from "./harness/processes.ts";
import { checkRest, printGoal, printTable, type Row, save } from "./harness/report.ts";
import { scenario } from "./harness/scenario.ts";

const TRIES = size(5, 1);
const MOST_MS = 1000;
/** The walk's names of the causes are sentences, too long for the heads of columns. */
const columns: Readonly<Record<string, string>> = {
  "an administrator deactivates the account": "deactivated",
  "the person changes the password": "password",
  "the person removes the second step": "second step",
  "the person signs all other browsers out": "signed out",
  "an administrator takes the person out of the channel": "unsubscribed",
};

await scenario(async () => {
  checkRest();
  const times = await measure();
  const causes = Object.keys(columns);
  const things = [...new Set(times.map(({ held }) => held))];
  const of = (cause: string, held: string) =>
    times.filter((each) => each.cause === cause && each.held === held);
  const rows = things.map((held) => {
    const row: Row = { held };
    for (const cause of causes) row[columns[cause] as string] = written(of(cause, held));
    return row;
  });
  printTable(`ms until it is refused on the other node, p50 / max of ${TRIES}; - goes on`, rows);

  const lengths = times.map(({ ms }) => ms ?? Number.POSITIVE_INFINITY);
  const { p50Ms, maxMs } = spreadOf(lengths);
  console.log(`\n${times.length} ends, p50 ${p50Ms.toFixed(0)} ms`);
  printGoal("the slowest end, ms", maxMs, { most: MOST_MS });
  if (lengths.some((ms) => ms > MOST_MS)) process.exitCode = 1;
  save("endings", { tries: TRIES, ends: times.length, p50Ms, maxMs, rows });
});

function written(times: readonly EndedAfter[]): string | undefined {
  if (times.length === 0) return undefined;
  if (times.some(({ ms }) => ms === null)) return "never";
  const { p50Ms, maxMs } = spreadOf(times.map(({ ms }) => ms as number));
  return `${p50Ms.toFixed(0)} / ${maxMs.toFixed(0)}`;
}

async function measure(): Promise<EndedAfter[]> {
  const folder = makeTemporaryDirectory("parley-bench-");
  addCleanUp(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "times.json");
  const child = spawn(
    process.execPath,
    ["node_modules/vitest/vitest.mjs", "run", "--config", "vitest.endings.config.ts", "--reporter=dot"],
    {
      stdio: ["ignore", "inherit", "inherit"],
      env: { ...process.env, BENCH_TIMES: file, BENCH_TRIES: String(TRIES) },
    },
  );
  const code = new Promise<number | null>((resolve) => child.once("exit", resolve));
  addCleanUp(() => stop(child, code));
  if ((await code) !== 0) throw new Error("the walk failed, so nothing was measured");
  return JSON.parse(readFileSync(file, "utf8"));
}

async function stop(child: ChildProcess, code: Promise<unknown>): Promise<void> {
  child.kill("SIGTERM");
  await code;
}
