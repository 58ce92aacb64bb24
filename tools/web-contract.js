// Vite's view of the contract: the modules of `api/` with their plain values only. The schema library and the
// descriptions stay out of the browser. A module that uses schemas is read from dist/, where the compiler put
// it, and written again as what a program needs to call its endpoints.
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

/** In place of `client/contract.ts`, which imports every declaration. */
const CONTRACT = `
import { capabilityNames, deleteQueue, getEvents, registerQueue } from "../api/real-time.ts";
export const endpoints = { registerQueue, getEvents, deleteQueue };
export const allCapabilities = Object.fromEntries(capabilityNames.map((name) => [name, true]));
`;

/** @param {string} root @returns {import("vite").Plugin} */
export function plainContract(root) {
  return {
    name: "plain-contract",
    enforce: "pre",
    async load(id) {
      const file = path.relative(root, id).split(path.sep).join("/");
      if (file === "client/contract.ts") return CONTRACT;
      if (!/^api\/.+\.ts$/.test(file) || !usesSchemas(root, file)) return undefined;
      const built = path.join(root, "dist", file.replace(/\.ts$/, ".js"));
      return Object.entries(await import(pathToFileURL(built).href))
        .map(([name, value]) => `export const ${name} = /*#__PURE__*/ (${textOf(value)});`)
        .join("\n");
    },
  };
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
  if (typeof one.path === "string" && one.parameters) return JSON.stringify(callable(one));
  if (typeof one.name === "string" && "schema" in one && "default" in one)
    return JSON.stringify({ name: one.name, default: one.default });
  // Lists of settings by name. Schemas and declarations of events are of no use at run time.
  const settings = Object.entries(one).filter(([, each]) => each?.schema && "default" in each);
  if (settings.length > 0)
    return `{ ${settings.map(([name, each]) => `${JSON.stringify(name)}: ${textOf(each)}`).join(", ")} }`;
  return Object.values(one).every(isPlain) && !("~kind" in one) ? JSON.stringify(one) : "undefined";
}

/** What `Connection.call` reads. @param {Record<string, any>} endpoint */
function callable({ name, method, path: address, parameters }) {
  const short = Object.entries(parameters).map(([key, { encoding, inPath }]) => [key, { encoding, inPath }]);
  return { name, method, path: address, parameters: Object.fromEntries(short) };
}

/** @param {unknown} value */
function isPlain(value) {
  return typeof value !== "object" && typeof value !== "function";
}
