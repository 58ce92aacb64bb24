// Runs benchmarks: `npm run bench` all of them, `npm run bench send latency` some. Options, after `--`:
// `--save` keeps the figures, `--profile` says where the server's time goes, `--quick` only tries whether
// they work. For `cost` alone, `--write=WHY` also writes the ledger of costs (see `tools/costs.js`), and
// `--compare` fails when a verb takes far more time than is saved. `--beside=DIR` compares with another
// checkout that is built, in turns; `--verb=NAME` only that verb.
import { spawn } from "node:child_process";
import * as fs from "node:fs";
import * as path from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "./build.js";
import { isStale } from "./is-stale.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const OPTIONS = ["--save", "--profile", "--quick", "--write", "--compare", "--beside", "--verb"];

const all = fs
  .readdirSync(`${root}/bench`)
  .filter((file) => file.endsWith(".ts"))
  .map((file) => file.replace(/\.ts$/, ""));
const options = process.argv.slice(2).filter((each) => each.startsWith("--"));
const named = process.argv.slice(2).filter((each) => !each.startsWith("--"));
refuseUnknown("benchmark", named, all);
refuseUnknown(
  "option",
  options.map((each) => each.replace(/^(--write|--beside|--verb)=.*/s, "$1")),
  OPTIONS,
);
refuseWrongComparison();

if (isStale()) build();

/** @type {import("node:child_process").ChildProcess | undefined} */
let current;
let isInterrupted = false;
for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM"])) {
  // The scenario stops what it has started. A terminal has already sent it the signal of Ctrl+C.
  process.on(signal, () => {
    isInterrupted = true;
    current?.kill("SIGTERM");
  });
}

let failed = false;
for (const name of named.length > 0 ? named : all) {
  console.log(`\n== ${name}`);
  const code = await run(name);
  failed ||= code !== 0;
  if (isInterrupted) break;
}
process.exitCode = isInterrupted ? 130 : failed ? 1 : 0;

/** @param {string} name @returns {Promise<number | null>} */
function run(name) {
  const child = spawn(process.execPath, [`${root}/dist/bench/${name}.js`, ...options], {
    cwd: root,
    // The scenario notices through the channel when this process ends.
    stdio: ["inherit", "inherit", "inherit", "ipc"],
  });
  current = child;
  return new Promise((resolve) => child.once("exit", resolve));
}

/** Before the build, so that a wrong word costs no time. */
function refuseWrongComparison() {
  const [beside, verb] = ["--beside", "--verb"].map((name) =>
    options.find((each) => each === name || each.startsWith(`${name}=`)),
  );
  if (beside === undefined && verb === undefined) return;
  if (beside === undefined) refuse("--verb needs --beside=DIR.");
  if (named.join() !== "cost") refuse("Only cost can be compared with another checkout.");
  if (
    ["--save", "--write", "--compare", "--profile"].some((each) =>
      options.some((one) => one.startsWith(each)),
    )
  ) {
    refuse("A comparison with another checkout is not saved, profiled or compared with what is saved.");
  }
  const folder = beside?.slice("--beside=".length);
  if (!folder) refuse("--beside needs the folder of another checkout: --beside=DIR.");
  if (verb !== undefined && !verb.slice("--verb=".length)) refuse("--verb needs a name: --verb=NAME.");
  if (isStale(path.resolve(/** @type {string} */ (folder)))) {
    refuse(`The checkout in ${folder} is not built, or has changed since: run node tools/build.js there.`);
  }
}

/** @param {string} why */
function refuse(why) {
  console.error(why);
  process.exit(2);
}

/** @param {string} what @param {string[]} given @param {string[]} known */
function refuseUnknown(what, given, known) {
  const unknown = given.filter((each) => !known.includes(each));
  if (unknown.length === 0) return;
  console.error(`There is no ${what} ${unknown.join(", ")}. There are: ${known.join(", ")}.`);
  process.exit(2);
}
