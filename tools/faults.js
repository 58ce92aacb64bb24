// Makes docs/faults.md of the catalogue of faults and of the sentences in the sources, and the table of exit
// codes in docs/running.md.
//
//   node tools/faults.js          writes both
//   node tools/faults.js --check  fails when one is stale, or when nothing in the program names a fault
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "./build.js";
import { sentencesOfFaults } from "./fault-sentences.js";
import { exitCodeTable, faultsPage, withTable } from "./faults-page.js";
import { isStale } from "./is-stale.js";
import { readSources } from "./source-files.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const EXIT_CODES = "server/platform/faults/exit-codes.ts";

if (isStale()) build();
const { faults } = await load("server/platform/faults/catalogue.js");
const { faultsOfCodes } = await load("server/platform/health/finding.js");
const { sources } = readSources(root);
const names = Object.fromEntries(Object.keys(faults).map((name) => [name, name]));
const sentences = sentencesOfFaults(
  new Map(
    [...sources].filter(
      ([file]) => /^(cli|server)\//.test(file) && !file.startsWith("server/platform/faults/"),
    ),
  ),
  { ...faultsOfCodes, ...names },
);

const problems = Object.keys(faults)
  .filter((name) => !sentences.has(name))
  .map((name) => `The fault ${faults[name].number} (${name}) is named by nothing.`);
const pages = {
  "docs/faults.md": faultsPage(faults, sentences, faultsOfCodes),
  "docs/running.md": withTable(read("docs/running.md"), exitCodeTable(read(EXIT_CODES), faults)),
};
for (const [file, text] of Object.entries(pages)) {
  if (read(file) === text) continue;
  if (process.argv[2] === "--check") problems.push(`${file} is not up to date. Run node tools/faults.js`);
  else writeFileSync(path.join(root, file), text);
}
for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;

/** @param {string} file @returns {Promise<any>} */
async function load(file) {
  return import(pathToFileURL(path.join(root, "dist", file)).href);
}

/** "" if there is no such file. @param {string} file */
function read(file) {
  try {
    return readFileSync(path.join(root, file), "utf8");
  } catch {
    return "";
  }
}
