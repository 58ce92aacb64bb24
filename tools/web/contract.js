// Vite's view of the contract: the modules of `api/` with their plain values only. The schema library and the
// descriptions stay out of the browser. A module that uses schemas is read from dist/, where the compiler put
// it, and written again as what a program needs to call its endpoints.
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

/** In place of `client/contract.ts`, which imports every declaration. */
const CONTRACT = `
import { capabilityNames, deleteQueue, getEvents, registerQueue } from "../api/integrations/real-time.ts";
export const endpoints = { registerQueue, getEvents, deleteQueue };
export const allCapabilities = Object.fromEntries(capabilityNames.map((name) => [name, true]));
`;

/** The end lets the bundler see that it is a program. */
const PART = /\?part=(.+)\.js$/;

/** @param {string} root @returns {import("vite").Plugin} */
export function plainContract(root) {
  return {
    name: "plain-contract",
    enforce: "pre",
    // A part of a declaration is a module of its own, beside that of the file.
    resolveId(id) {
      return PART.test(id) ? id : undefined;
    },
    async load(id) {
      const [address = "", part] = id.split(PART);
      const file = path.relative(root, address).split(path.sep).join("/");
      if (file === "client/contract.ts") return CONTRACT;
      if (!/^api\/.+\.ts$/.test(file) || !usesSchemas(root, file)) return undefined;
      const built = path.join(root, "dist", file.replace(/\.ts$/, ".js"));
      const declared = await import(pathToFileURL(built).href);
      return part === undefined ? moduleOf(address, declared) : moduleOfPart(address, declared, part);
    },
  };
}

/**
 * Each endpoint and each setting is a module of its own. So it lies in the file that needs it, and what
 * nobody names is left out.
 * @param {string} address @param {Record<string, unknown>} declared @returns {string}
 */
function moduleOf(address, declared) {
  const lines = Object.entries(declared).map(([name, value]) => {
    const from = JSON.stringify(`${address}?part=${name}.js`);
    if (isSettings(value)) return `export * as ${name} from ${from};`;
    return isEndpoint(value) ? `export { ${name} } from ${from};` : constant(name, value);
  });
  return lines.join("\n");
}

/** @param {string} address @param {Record<string, any>} declared @param {string} part @returns {string} */
function moduleOfPart(address, declared, part) {
  const [name = "", setting] = part.split("/");
  const value = declared[name];
  if (setting !== undefined) return constant(setting, value[setting]);
  if (isEndpoint(value)) return constant(name, value);
  const from = (/** @type {string} */ one) => JSON.stringify(`${address}?part=${name}/${one}.js`);
  return settingsIn(value)
    .map(([one]) => `export { ${one} } from ${from(one)};`)
    .join("\n");
}

/** @param {string} name @param {unknown} value */
function constant(name, value) {
  return `export const ${name} = /*#__PURE__*/ (${textOf(value)});`;
}

/** @param {string} root @param {string} file @returns {boolean} */
function usesSchemas(root, file, seen = new Set()) {
  if (seen.has(file)) return false;
  seen.add(file);
  const text = fs.readFileSync(path.join(root, file), "utf8");
  if (/ from "typebox"/.test(text)) return true;
  return [...text.matchAll(/^(?:import|export)\b(?!\s+type\b)[^;"']*\bfrom "(\.[^"]+)";/gm)].some(
    ([, name = ""]) => usesSchemas(root, path.posix.join(path.posix.dirname(file), name), seen),
  );
}

/** @param {unknown} value @returns {string} */
function textOf(value) {
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "undefined";
  if (Array.isArray(value)) return value.every(isPlain) ? JSON.stringify(value) : "undefined";
  const one = /** @type {Record<string, any>} */ (value);
  if (isEndpoint(one)) return JSON.stringify(callable(one));
  if (typeof one.name === "string" && "schema" in one && "default" in one)
    return JSON.stringify({ name: one.name, default: one.default });
  // Schemas and declarations of events are of no use at run time.
  return Object.values(one).every(isPlain) && !("~kind" in one) ? JSON.stringify(one) : "undefined";
}

/** The settings of a list by their names. @param {any} value @returns {[string, any][]} */
function settingsIn(value) {
  if (typeof value !== "object" || value === null || Array.isArray(value) || "schema" in value) return [];
  return Object.entries(value).filter(([, each]) => each?.schema && "default" in each);
}

/** @param {unknown} value */
function isSettings(value) {
  return settingsIn(value).length > 0;
}

/** @param {any} value */
function isEndpoint(value) {
  return typeof value?.path === "string" && "parameters" in value;
}

/** What `Connection.call` reads, without what is usual. @param {Record<string, any>} endpoint */
function callable({ name, method, path: address, parameters }) {
  const short = Object.entries(parameters).map(([key, { encoding, inPath }]) => [
    key,
    { ...(encoding !== "json" && { encoding }), ...(inPath && { inPath }) },
  ]);
  return { name, method, path: address, parameters: Object.fromEntries(short) };
}

/** @param {unknown} value */
function isPlain(value) {
  return typeof value !== "object" && typeof value !== "function";
}
