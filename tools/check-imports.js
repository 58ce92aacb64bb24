// Prints each import that points the wrong way by the rules of import-rules.js, and fails if there is one. A root in the
// first argument takes the place of this checkout.
import { readdirSync, readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";
import {
  barrels,
  compositionRoots,
  forAllModules,
  forThePlatform,
  isPrivate,
  isStore,
  isTest,
  layers,
  sharedStores,
  sharedWebFolders,
  table,
  webRoots,
} from "./import-rules.js";

const root = process.argv[2] ?? fileURLToPath(new URL("..", import.meta.url));
const problems = checkImports(readSources(root));
for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;

/**
 * @param {Map<string, string>} sources file contents by path from the root, with forward slashes
 * @returns {string[]} a sentence for each import or export that breaks a rule
 */
function checkImports(sources) {
  /** @type {string[]} */
  const problems = [];
  /** @type {Map<string, string[]>} */
  const graph = new Map();
  for (const [file, text] of sources) {
    const imports = importsOf(file, text);
    graph.set(
      file,
      imports.flatMap(({ target, isType }) => (!isType && sources.has(target) ? [target] : [])),
    );
    if (/^export default\b/m.test(text)) problems.push(`${file} has a default export: name it.`);
    if (isTest.test(file) || !rulesFor(file)) continue;
    if (!barrels.includes(file) && /^export\s+(type\s+)?(\*|\{[^}]*\}\s*from\b)/m.test(text)) {
      problems.push(`${file} passes on another file's exports: import the file that has the thing.`);
    }
    for (const { target } of imports) {
      const problem = sources.has(target) ? wrongFile(file, target) : wrongPackage(file, target);
      if (problem) problems.push(`${file} imports ${target}: ${problem}`);
    }
  }
  return [...problems, ...cycles(graph)];
}

/** @param {string} file */
function rulesFor(file) {
  const folder = Object.keys(table).findLast((name) => file.startsWith(`${name}/`));
  const rules = folder === undefined ? undefined : table[folder];
  return rules && { folder, ...rules };
}

/**
 * Relative names become paths from the root. An import of types alone is gone at run time and can't make a cycle.
 * @param {string} file @param {string} text
 */
function importsOf(file, text) {
  const statements = text.matchAll(/^(?:import|export)\b([^;"'`]*?\bfrom)?\s*["']([^"']+)["']/gm);
  const calls = text.matchAll(/\bimport\((\s*)["']([^"']+)["']\s*\)/g);
  return [...statements, ...calls].map(([, names = "", name = ""]) => ({
    target: name.startsWith(".") ? path.posix.join(path.posix.dirname(file), name) : name,
    isType: /^\s*type\b/.test(names) || /^\s*\{(\s*type\s[^,}]*,?)+\s*\}\s*from$/.test(names),
  }));
}

/** @param {string} file @param {string} name */
function wrongPackage(file, name) {
  const rules = rulesFor(file);
  // Style sheets and texts of the browser's client.
  if (file.startsWith("web/") && /^web\/.*\.(css|json)$/.test(name)) return undefined;
  if (isBuiltin(name))
    return rules?.node ? undefined : "this folder also runs in browsers, without Node's modules.";
  // The files of some packages are imported by their names.
  const isOfPackage = name.startsWith("@");
  if (/\.[jt]sx?$/.test(name) && name.includes("/") && !isOfPackage) return "there is no such file.";
  const isAllowed =
    !rules?.packages || rules.packages.some((one) => name === one || name.startsWith(`${one}/`));
  return isAllowed ? undefined : `${rules.folder}/ may only use ${rules.packages?.join(", ")}.`;
}

/** @param {string} file @param {string} target */
function wrongFile(file, target) {
  const [folder, module] = [file.split("/")[0] ?? "", moduleOf(file)];
  const [targetFolder, targetModule] = [target.split("/")[0] ?? "", moduleOf(target)];
  if (!rulesFor(target) || isTest.test(target)) return "nothing may depend on tests, benches or tools.";
  if (folder !== targetFolder) {
    if (!rulesFor(file)?.folders.includes(targetFolder))
      return `${folder}/ must not depend on ${targetFolder}/.`;
  } else if (folder === "web") {
    const problem = wrongRegion(file, target);
    if (problem) return problem;
  } else if (folder === "server" && module !== targetModule) {
    const problem = wrongModule(file, target);
    if (problem) return problem;
  }
  if (targetFolder !== "server" || module === targetModule || !isPrivate.test(target)) return undefined;
  if (sharedStores.includes(target)) return undefined;
  const isForRoots = compositionRoots.some((root) => file === `server/${root}`) && !isStore.test(target);
  return isForRoots ? undefined : `it is private to ${targetModule}; ask that module for a narrow function.`;
}

/** @param {string} file @param {string} target */
function wrongRegion(file, target) {
  const [region = "", targetRegion = ""] = [file.split("/")[1], target.split("/")[1]];
  if (region === targetRegion || webRoots.includes(region)) return undefined;
  if (sharedWebFolders.includes(targetRegion)) return undefined;
  return "regions of the screen don't know each other; what two of them need belongs in app/ or ui/.";
}

/** @param {string} file @param {string} target */
function wrongModule(file, target) {
  const [module, targetModule] = [moduleOf(file), moduleOf(target)];
  if (module === "") return undefined;
  if (targetModule === "") {
    const allowed = isPlatform(module) ? forThePlatform : forAllModules;
    return allowed.includes(path.posix.basename(target)) || module === "process"
      ? undefined
      : "modules don't know what puts them together.";
  }
  const [layer, targetLayer] = [layerOf(module), layerOf(targetModule)];
  if (targetLayer < layer) return undefined;
  return `${module} stands ${targetLayer === layer ? "beside" : "below"} ${targetModule}; a lower module causes things above it by events or jobs.`;
}

/**
 * `platform/db` or `channels` for a file of server/; empty for the files directly in it and outside of it.
 * @param {string} file
 */
function moduleOf(file) {
  const [top, folder = "", name = "", ...rest] = file.split("/");
  if (top !== "server" || name === "") return "";
  if (folder === "features") return name;
  return rest.length > 0 ? `${folder}/${name}` : folder;
}

/** @param {string} module */
function isPlatform(module) {
  return module.startsWith("platform/");
}

/** @param {string} module */
function layerOf(module) {
  const layer = layers.findIndex((modules) => modules.includes(module));
  return layer < 0 ? layers.findIndex((modules) => modules.includes("*")) : layer;
}

/** @param {Map<string, string[]>} graph */
function cycles(graph) {
  /** @type {string[]} */
  const found = [];
  const done = new Set();
  /** @param {string} file @param {string[]} trail */
  const visit = (file, trail) => {
    if (trail.includes(file))
      found.push(`These import each other: ${[...trail.slice(trail.indexOf(file)), file].join(" → ")}`);
    if (trail.includes(file) || done.has(file)) return;
    for (const target of graph.get(file) ?? []) visit(target, [...trail, file]);
    done.add(file);
  };
  for (const file of graph.keys()) visit(file, []);
  return found;
}

/** All TypeScript files of ours. @param {string} root */
function readSources(root) {
  /** @type {Map<string, string>} */
  const sources = new Map();
  for (const folder of [
    ...Object.keys(table).filter((name) => !name.includes("/")),
    "bench",
    "test",
    "tools",
  ]) {
    for (const name of listFiles(path.join(root, folder))) {
      const file = path.posix.join(folder, name.split(path.sep).join("/"));
      if (/\.tsx?$/.test(file)) sources.set(file, readFileSync(path.join(root, file), "utf8"));
    }
  }
  return sources;
}

/** @param {string} folder */
function listFiles(folder) {
  try {
    return readdirSync(folder, { recursive: true, encoding: "utf8" });
  } catch {
    return [];
  }
}
