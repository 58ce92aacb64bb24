// Makes the client's package in dist/client-package: what `client/index.ts` and `client/model/index.ts`
// import, with declarations that need no other package. `npm pack` in that folder makes the file that others
// install.
//
// The sources are compiled once more, in a folder of their own. The modules of `api/` that use the schema
// library are replaced there by plain types that are made from their values. So what compiles there also
// compiles in a project that has nothing but the package.
import { spawnSync } from "node:child_process";
import * as fs from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build, CLIENT_PACKAGE, makeScratch } from "./build.js";
import { contractText, eventType } from "./client-contract.js";
import { isStale } from "./is-stale.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const entries = ["client/index.ts", "client/model/index.ts"];

/** Made from the contract, in place of the source. */
const CONTRACT = "client/contract.ts";
const EVENT_FORM = "api/event.ts";
const eventForm = `/** What a declaration says of its event. */
export interface EventDeclaration<E> {
  readonly event: E;
}

export type EventOf<D> = D extends EventDeclaration<infer E> ? E : never;
`;

const options = {
  target: "es2022",
  lib: ["es2023", "dom"],
  module: "nodenext",
  moduleDetection: "force",
  types: [],
  strict: true,
  noUncheckedIndexedAccess: true,
  verbatimModuleSyntax: true,
  declaration: true,
};

/** The folder of the package. */
export async function buildClientPackage() {
  if (isStale()) build();
  const scratch = makeScratch(path.join(root, "dist"));
  try {
    const sources = await collectSources();
    for (const [file, text] of sources) write(path.join(scratch, "src", file), withEmittedNames(text));
    const project = { compilerOptions: { ...options, rootDir: "src", outDir: "out" }, include: ["src"] };
    write(path.join(scratch, "tsconfig.json"), JSON.stringify(project));
    write(path.join(scratch, "package.json"), '{ "type": "module" }');
    compile(scratch);
    const out = path.join(scratch, "out");
    for (const file of sources.keys()) removeIfEmpty(path.join(out, file.replace(/\.ts$/, ".js")));
    copyPapers(out);
    const target = path.join(root, "dist", CLIENT_PACKAGE);
    fs.rmSync(target, { recursive: true, force: true });
    fs.renameSync(out, target);
    return target;
  } finally {
    fs.rmSync(scratch, { recursive: true, force: true });
  }
}

/** The compiler, since the package has declarations of its types. @param {string} folder */
function compile(folder) {
  const compiler = fileURLToPath(new URL("bin/tsc", import.meta.resolve("typescript/package.json")));
  const { status, stdout, stderr, error } = spawnSync(process.execPath, [compiler, "-p", "tsconfig.json"], {
    cwd: folder,
    encoding: "utf8",
  });
  if (status !== 0)
    throw new Error(`The package can't be compiled.\n${stdout}${stderr}${error?.message ?? ""}`.trim());
}

/** What the entries import, with what that imports, and so on: texts by path. */
async function collectSources() {
  /** @type {Map<string, string>} */
  const sources = new Map();
  const waiting = [...entries];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (sources.has(file)) continue;
    const text = await sourceOf(file);
    sources.set(file, text);
    waiting.push(...importsOf(file, text));
  }
  return sources;
}

/** @param {string} file */
async function sourceOf(file) {
  if (file === CONTRACT) return contractText(await readContract());
  if (file === EVENT_FORM) return eventForm;
  if (file.startsWith("api/") && usesSchemas(file)) return plainText(file);
  return fs.readFileSync(path.join(root, file), "utf8");
}

/**
 * Whether a module's types or values come from the schema library.
 * @param {string} file
 * @returns {boolean}
 */
function usesSchemas(file, seen = new Set()) {
  if (seen.has(file)) return false;
  seen.add(file);
  const text = fs.readFileSync(path.join(root, file), "utf8");
  return / from "typebox"/.test(text) || importsOf(file, text).some((name) => usesSchemas(name, seen));
}

/** @param {string} file @param {string} text */
function importsOf(file, text) {
  const names = [...text.matchAll(/^(?:import|export)\b[^;"']*\bfrom "(\.[^"]+)";/gm)].map(
    ([, name = ""]) => name,
  );
  return names.map((name) => path.posix.join(path.posix.dirname(file), name));
}

/**
 * A module's plain values, and the types of its events. Its other exports are of no use to a client.
 * @param {string} file
 */
async function plainText(file) {
  const depth = "../".repeat(file.split("/").length - 1);
  /** @type {string[]} */
  const events = [];
  const lines = Object.entries(await load(file)).flatMap(([name, value]) => {
    if (typeof value === "number" || typeof value === "string")
      return [`export const ${name} = ${JSON.stringify(value)};`];
    if (typeof value !== "object") return [];
    if (isEvent(value)) {
      events.push(eventType(name));
      return [`export declare const ${name}: EventDeclaration<${eventType(name)}>;`];
    }
    const keys = Object.keys(value).map((key) => `  readonly ${JSON.stringify(key)}: unknown;\n`);
    return [`export declare const ${name}: {\n${keys.join("")}};`];
  });
  const imports =
    events.length === 0
      ? []
      : [
          `import type { ${events.join(", ")} } from "${depth}${CONTRACT}";`,
          `import type { EventDeclaration } from "${depth}${EVENT_FORM}";`,
        ];
  return `${[...imports, ...lines].join("\n")}\n`;
}

/** @param {object} value */
function isEvent(value) {
  return "payload" in value && "type" in value && "variant" in value;
}

/** @returns {Promise<import("./client-contract.js").Contract>} */
async function readContract() {
  const { endpoints, registerSections } = await load("api/index.ts");
  const { errors } = await load("api/errors.ts");
  /** @type {import("./client-contract.js").Contract["events"] & Map<string, any>} */
  const events = new Map();
  for (const name of fs.readdirSync(path.join(root, "api/events")).sort()) {
    if (!name.endsWith(".ts") || name.endsWith(".test.ts")) continue;
    for (const [key, value] of Object.entries(await load(`api/events/${name}`))) {
      if (typeof value === "object" && isEvent(value)) events.set(key, value);
    }
  }
  return {
    endpoints,
    events,
    sections: registerSections,
    capabilities: (await load("api/integrations/real-time.ts")).capabilityNames,
    errors: Object.values(errors),
    impliedErrors: (await load("api/implied-errors.ts")).impliedErrors,
    errorExample: (await load("api/error-example.ts")).errorExample,
    errorFields: (await load("api/error-fields.ts")).errorFields,
  };
}

/** Imports of what is emitted, which older compilers need in declarations. @param {string} text */
function withEmittedNames(text) {
  return text.replace(/ from "(\.[^"]+)\.ts";/g, ' from "$1.js";');
}

/** A module as it was built. @param {string} file @returns {Promise<Record<string, any>>} */
async function load(file) {
  return import(pathToFileURL(path.join(root, "dist", file.replace(/\.ts$/, ".js"))).href);
}

/** Modules of types have no code. @param {string} file */
function removeIfEmpty(file) {
  if (fs.readFileSync(file, "utf8").trim() === "export {};") fs.rmSync(file);
}

/** The version is the project's. @param {string} out */
function copyPapers(out) {
  const read = (/** @type {string} */ file) => JSON.parse(fs.readFileSync(path.join(root, file), "utf8"));
  const { name, ...rest } = read("client/package.json");
  const manifest = { name, version: read("package.json").version, ...rest };
  write(path.join(out, "package.json"), `${JSON.stringify(manifest, undefined, 2)}\n`);
  fs.copyFileSync(path.join(root, "client/README.md"), path.join(out, "README.md"));
  fs.copyFileSync(path.join(root, "LICENSE"), path.join(out, "LICENSE"));
}

/** @param {string} file @param {string} text */
function write(file, text) {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, text);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    console.log(path.relative(process.cwd(), await buildClientPackage()));
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
