// The ledger of costs lies in bench/results/ledger.json. docs/costs.md is made from it and from the processor
// times in bench/results/cost.json, which `npm run bench cost -- --write` measures.
//
//   node tools/costs.js                  writes the page
//   node tools/costs.js --check          fails when the page is stale
//   node tools/costs.js --write [WHY]    counts again what verbs cost, writes the ledger, and the page. WHY
//                                        says why a verb is worth more than before; without it a verb that
//                                        became dearer is refused
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { makePage } from "./costs-page.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const page = path.join(root, "docs", "costs.md");

const [option, ...words] = process.argv.slice(2);
if (option === "--write") writeLedger(words.join(" "));
const text = makePage(results("ledger"), results("cost"));
if (option !== "--check") {
  writeFileSync(page, text);
} else if (readFileSync(page, "utf8") !== text) {
  console.error("docs/costs.md is stale: run node tools/costs.js");
  process.exitCode = 1;
}

/** Lets the test write what it counts. Ends this process if it does not. @param {string} why */
function writeLedger(why) {
  const vitest = path.join(root, "node_modules", "vitest", "vitest.mjs");
  const { status } = spawnSync(process.execPath, [vitest, "run", "test/costs/ledger.test.ts"], {
    cwd: root,
    stdio: "inherit",
    env: { ...process.env, PARLEY_WRITE_COSTS: why },
  });
  if (status !== 0) process.exit(status ?? 1);
}

/** @param {string} name */
function results(name) {
  return JSON.parse(readFileSync(path.join(root, "bench", "results", `${name}.json`), "utf8"));
}
