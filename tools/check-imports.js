// Prints each import that points the wrong way by the rules of import-rules.js, or that reaches past the public
// interface of a module in modules.js, and fails if there is one. A root in the first argument takes the place of this
// checkout.
import { readdirSync, readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";
import {
  barrels,
  compositionRoots,
  forAllModules,
  forAllOnGround,
  forThePlatform,
  ground,
  isHandlers,
  isParts,
  isStore,
  isTest,
  platformLayers,
  sharedWebFolders,
  table,
  webRoots,
} from "./import-rules.js";
import { modules, publicStores, wrongStores } from "./modules.js";

const root = process.argv[2] ?? fileURLToPath(new URL("..", import.meta.url));
const kinds = /** @type {const} */ (["interface", "commands", "tests"]);
const order = modules.map(({ name }) => name);
/** The entries of the lists in modules.js that an import needs: `channels/interface/access`. @type {Set<string>} */
const used = new Set();
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
    const misplaced = wrongPlace(file);
    if (misplaced) problems.push(`${file}: ${misplaced}`);
    const isChecked = !isTest.test(file) && rulesFor(file) !== undefined;
    if (isChecked && !barrels.includes(file) && passesOn(text)) {
      problems.push(`${file} passes on another file's exports: import the file that has the thing.`);
    }
    for (const { target } of imports) {
      const problem = !isChecked
        ? sources.has(target) && pastInterface(file, target)
        : sources.has(target)
          ? wrongFile(file, target)
          : wrongPackage(file, target);
      if (problem) problems.push(`${file} imports ${target}: ${problem}`);
    }
  }
  return [...problems, ...unusedEntries(sources), ...wrongStores(modules, publicStores), ...cycles(graph)];
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

/**
 * Whether a text exports what is another file's, in one statement or after an import. Else a public file would
 * widen the interface of its module by what nobody listed.
 * @param {string} text
 */
function passesOn(text) {
  if (/^export\s+(type\s+)?(\*|\{[^}]*\}\s*from\b)/m.test(text)) return true;
  const imported = new Set(
    [...text.matchAll(/^import\b([^;"'`]*?)\bfrom\b/gm)].flatMap(
      ([, names = ""]) => names.match(/\w+/g) ?? [],
    ),
  );
  return [...text.matchAll(/^export\s+(?:type\s+)?\{([^}]*)\}/gm)].some(([, names = ""]) =>
    names.split(",").some((name) => imported.has(/^\s*(?:type\s+)?(\w+)/.exec(name)?.[1] ?? "")),
  );
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
    !rules?.packages || rules.packages.some((allowed) => name === allowed || name.startsWith(`${allowed}/`));
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
  } else if (folder === "server") {
    const problem = module === targetModule ? wrongHandlers(file, target) : wrongModule(file, target);
    if (problem) return problem;
  }
  return pastInterface(file, target);
}

/** @param {string} file @param {string} target */
function wrongRegion(file, target) {
  const [region = "", targetRegion = ""] = [file.split("/")[1], target.split("/")[1]];
  if (region === targetRegion || webRoots.includes(region)) return undefined;
  if (sharedWebFolders.includes(targetRegion)) return undefined;
  return "regions of the screen don't know each other; what two of them need belongs in shared/ or ui/.";
}

/** @param {string} file @param {string} target */
function wrongModule(file, target) {
  const [module, targetModule] = [moduleOf(file), moduleOf(target)];
  const isAbove = !isPlatform(targetModule) && targetModule !== "" && !ground.includes(targetModule);
  if (isAbove && forAllOnGround.some((name) => file === `server/${name}`))
    return `every module gets this file, so it knows none above ${ground.at(-1)}: let ${targetModule} make and keep the thing itself, or give it to others in server/modules.ts.`;
  if (module === "" || module === "process") return undefined;
  if (targetModule === "") {
    const allowed = isPlatform(module) ? forThePlatform : forAllModules;
    return allowed.includes(path.posix.basename(target))
      ? undefined
      : "modules don't know what puts them together.";
  }
  if (layerOf(targetModule) < layerOf(module)) return undefined;
  const relation = layerOf(targetModule) === layerOf(module) ? "beside" : "below";
  return `${module} stands ${relation} ${targetModule}; a lower module causes things above it by hooks, events or jobs.`;
}

/** Within a module. @param {string} file @param {string} target */
function wrongHandlers(file, target) {
  if (!isHandlers.test(target) || isHandlers.test(file) || isParts.test(file)) return undefined;
  return "only the lists of routes import handlers; the action is in a file of its own.";
}

/**
 * Whether a file reaches into a module past what modules.js lists for it. @param {string} file @param {string} target
 */
function pastInterface(file, target) {
  const module = modules.find(({ name }) => target.startsWith(`server/${name}/`));
  if (!module || file.startsWith(`server/${module.name}/`)) return undefined;
  if (compositionRoots.some((one) => file === `server/${one}`))
    return isStore.test(target) ? "what puts modules together asks no rows." : undefined;
  const name = target.slice(`server/${module.name}/`.length).replace(/\.tsx?$/, "");
  const isOfTests = isTest.test(file) || /^(test|bench|tools)\//.test(file);
  const isOfCommands = file.startsWith("cli/");
  const lists = kinds.filter(
    (kind) => kind === "interface" || isOfTests || (isOfCommands && kind === "commands"),
  );
  const list = lists.find((one) => module[one].includes(name));
  // Tests alone keep nothing in the interface.
  if (list && !(isOfTests && list !== "tests")) used.add(`${module.name}/${list}/${name}`);
  if (list) return undefined;
  return `${name} is inside the module ${module.name}: use what its public interface in tools/modules.js has, or move there what both need.`;
}

/** @param {Map<string, string>} sources */
function unusedEntries(sources) {
  return modules.flatMap((module) =>
    kinds.flatMap((list) =>
      module[list]
        // A tree that a test made has few of the files.
        .filter((name) => process.argv[2] === undefined || sources.has(`server/${module.name}/${name}.ts`))
        .filter((name) => !used.has(`${module.name}/${list}/${name}`))
        .map(
          (name) =>
            `tools/modules.js lists ${name} in "${list}" of ${module.name}, and nothing needs it there: take it out.`,
        ),
    ),
  );
}

/** Folders of server/ that modules.js does not know. @param {string} file */
function wrongPlace(file) {
  const [top, name = "", folder = "", ...rest] = file.split("/");
  if (top !== "server" || folder === "" || ["platform", "process"].includes(name)) return undefined;
  const module = modules.find((one) => one.name === name);
  if (!module)
    return `there is no module ${name}: add it to tools/modules.js, with a sentence, or use another.`;
  if (rest.length === 0 || module.features[folder]) return undefined;
  return `the module ${name} has no feature ${folder}: add it to tools/modules.js, or use another folder.`;
}

/**
 * `platform/db` or `channels` for a file of server/; empty for the files directly in it and outside of it.
 * @param {string} file
 */
function moduleOf(file) {
  const [top, folder = "", name = "", ...rest] = file.split("/");
  if (top !== "server" || name === "") return "";
  return folder === "platform" && rest.length > 0 ? `${folder}/${name}` : folder;
}

/** @param {string} module */
function isPlatform(module) {
  return module.startsWith("platform/");
}

/** The platform is below the first module, and the process above the last. @param {string} module */
function layerOf(module) {
  if (isPlatform(module)) {
    const part = module.slice("platform/".length);
    return platformLayers.findIndex((parts) => parts.includes(part)) - platformLayers.length;
  }
  const index = order.indexOf(module);
  return index < 0 ? order.length : index;
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
