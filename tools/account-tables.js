// Makes the tables in docs/accounts.md of the ways into an account and of the changes that need a proof: from
// the contract, and from ways-in.js.
//
//   node tools/account-tables.js               writes the page
//   node tools/account-tables.js --check       fails when the page is stale
//
// Another page can be named, for tests.
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "./build.js";
import { isStale } from "./is-stale.js";
import { callsIn, pagesIn, pagesThatChange } from "./ways-in.js";

/** @typedef {import("./ways-in.js").WayIn} WayIn */

const root = fileURLToPath(new URL("..", import.meta.url));
const BEGIN = "<!-- Made by tools/account-tables.js -->";
const END = "<!-- End of what is made by tools/account-tables.js -->";

const words = process.argv.slice(2);
const page = words.find((word) => !word.startsWith("--")) ?? path.join(root, "docs", "accounts.md");

if (isStale()) build();
/** @type {readonly import("../api/endpoint.ts").Endpoint[]} */
const endpoints = (await load("api/index.ts")).endpoints;
/** @type {typeof import("../api/proof.ts")} */
const { describeCondition, ofHighRole } = await load("api/proof.ts");

const before = readFileSync(page, "utf8");
const after = replaceMade(before);
if (!words.includes("--check")) {
  writeFileSync(page, after);
} else if (after !== before) {
  console.error("docs/accounts.md is stale: run node tools/account-tables.js");
  process.exitCode = 1;
}

/** @param {string} text */
function replaceMade(text) {
  const [from, to] = [text.indexOf(BEGIN), text.indexOf(END)];
  if (from < 0 || to < from) throw new Error("the page has no place for the tables");
  return `${text.slice(0, from)}${BEGIN}\n\n${waysTable()}\n\n${changesTable()}\n\n${text.slice(to)}`;
}

function waysTable() {
  const giving = endpoints.filter((each) => isWayIn(each) && !each.proof);
  const missing = giving.filter(({ name }) => !callsIn.has(name));
  const left = [...callsIn.keys()].filter((name) => !giving.some((each) => each.name === name));
  if (missing.length + left.length > 0)
    throw new Error(`tools/ways-in.js lacks ${missing.map(({ name }) => name)}, or need not have ${left}`);
  const calls = giving.map((each) => wayRow(titleOf(each), /** @type {WayIn} */ (callsIn.get(each.name))));
  const pages = pageRows(pagesIn);
  return table(["way in", "proof", "limits", "mail", "audit log"], [...calls, ...pages]);
}

/** @param {ReadonlyMap<string, WayIn>} pages */
function pageRows(pages) {
  return [...pages].map(([name, way]) => wayRow(`\`${name}\``, way));
}

/** @param {import("../api/endpoint.ts").Endpoint} endpoint */
function isWayIn({ startsSession, reply }) {
  return startsSession === true || JSON.stringify(reply).includes('"api_key"');
}

/** @param {string} name @param {WayIn} way */
function wayRow(name, { proof, limits, mail, entry }) {
  return [name, proof, limits, mail, entry];
}

function changesTable() {
  const rows = endpoints.flatMap((each) => (each.proof?.rules ?? []).map((rule) => changeRow(each, rule)));
  return table(["change", "proof", "limits", "mail", "audit log"], [...rows, ...pageRows(pagesThatChange)]);
}

/** @typedef {import("../api/proof.ts").ProofRule} ProofRule */
/** @param {import("../api/endpoint.ts").Endpoint} endpoint @param {ProofRule} rule */
function changeRow(endpoint, { level, when, administrator, entry, botsPass, givesHighRole }) {
  const conditions = Object.entries(when ?? {}).map(([name, one]) => describeCondition(name, one));
  const parameters = conditions.length > 0 ? `, with ${conditions.join(" or ")}` : "";
  const what = `${parameters}${administrator === undefined ? "" : `, ${ofHighRole}`}`;
  const proof = {
    strongest: "the strongest",
    "in a session": "the strongest; an API key alone passes",
    "API key": "the API key",
  }[level];
  const bots = botsPass ? "; bots pass" : "";
  const mailed = givesHighRole ? "; no password of a mail for a day" : "";
  return [
    `${titleOf(endpoint)}${what}`,
    `${proof}${bots}${mailed}`,
    level === "API key" ? "–" : "wrong passwords and codes",
    entry === undefined ? "–" : "yes",
    entry === undefined ? "–" : `\`${entry}\``,
  ];
}

/** @param {import("../api/endpoint.ts").Endpoint} endpoint */
function titleOf({ method, path: address }) {
  return `\`${method} ${address}\``;
}

/** @param {string[]} heads @param {string[][]} rows */
function table(heads, rows) {
  return [heads, heads.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

/** A module as it was built. @param {string} file @returns {Promise<any>} */
async function load(file) {
  return import(pathToFileURL(path.join(root, "dist", file.replace(/\.ts$/, ".js"))).href);
}
