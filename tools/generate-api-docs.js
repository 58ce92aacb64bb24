// Makes docs/api/ from the contract: a page for each endpoint and each event, the errors, and an index.
//
//   node tools/generate-api-docs.js          writes the pages
//   node tools/generate-api-docs.js --check  fails when a page is stale, missing or left over
import * as fs from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { contractPages } from "./api-pages.js";
import { build } from "./build.js";
import { isStale } from "./is-stale.js";
import { parseBlock } from "./permission-tables.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = path.join(root, "docs", "api");
const expected = path.join(root, "test", "permissions", "expected");

if (isStale()) build();
// Samples name times to come. Without this, the pages would be other ones every day.
Date.now = () => Date.UTC(2030, 0, 1);
const pages = contractPages(await readContract(), readTables());
const present = filesIn(folder);
const left = present.filter((file) => !pages.has(file));
const changed = [...pages].filter(([file, text]) => !present.includes(file) || read(file) !== text);

if (process.argv[2] !== "--check") {
  for (const file of left) fs.rmSync(path.join(folder, file));
  for (const [file, text] of changed) {
    fs.mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    fs.writeFileSync(path.join(folder, file), text);
  }
} else if (left.length + changed.length > 0) {
  const names = [...changed.map(([file]) => file), ...left].slice(0, 10).map((file) => `docs/api/${file}`);
  console.error(`Stale: ${names.join(", ")}. Run node tools/generate-api-docs.js`);
  process.exitCode = 1;
}

/** @returns {Promise<import("./api-pages.js").Contract>} */
async function readContract() {
  const { endpoints, events, registerSections } = await load("api/index.ts");
  const reference = "server/integrations/api-reference";
  const { defaultRateLimits, limitOfBots } = await load("server/platform/http/rate-limit.ts");
  return {
    endpoints,
    events,
    eventNameOf: (await load("api/event.ts")).eventNameOf,
    registerSections,
    errors: Object.values((await load("api/errors.ts")).errors),
    ...(await load("api/implied-errors.ts")),
    ...(await load("api/error-example.ts")),
    ...(await load(`${reference}/field-list.ts`)),
    ...(await load(`${reference}/samples.ts`)),
    ...(await load(`${reference}/tags.ts`)),
    describeProof: (await load("api/proof.ts")).describeProof,
    accessDescriptions: (await load(`${reference}/openapi.ts`)).accessDescriptions,
    rateLimits: defaultRateLimits,
    callsOfBots: limitOfBots(defaultRateLimits),
    featureLevel: (await load("server/version.ts")).featureLevel,
  };
}

/** The tables of permissions, by the endpoint that they are about. */
function readTables() {
  /** @type {Map<string, import("./permission-tables.js").Table[]>} */
  const tables = new Map();
  for (const file of fs.readdirSync(expected)) {
    const [, ...blocks] = fs.readFileSync(path.join(expected, file), "utf8").trimEnd().split("\n\n");
    for (const table of blocks.map(parseBlock)) {
      const name = table.name.replace(/ \(.*/, "");
      tables.set(name, [...(tables.get(name) ?? []), table]);
    }
  }
  return tables;
}

/** A module as it was built. @param {string} file @returns {Promise<any>} */
async function load(file) {
  return import(pathToFileURL(path.join(root, "dist", file.replace(/\.ts$/, ".js"))).href);
}

/** @param {string} file */
function read(file) {
  return fs.readFileSync(path.join(folder, file), "utf8");
}

/** Paths from the folder, with forward slashes. @param {string} place */
function filesIn(place) {
  const entries = fs.existsSync(place) ? fs.readdirSync(place, { recursive: true, withFileTypes: true }) : [];
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).replaceAll("\\", "/"));
}
