// Bundles a compiled program, whose folder is the argument: into a few files in `program/`, since Node takes
// most of a second to find and read two thousand. tools/build.js runs this in a process of its own, whose
// memory is free again.
import fs from "node:fs";
import { isBuiltin } from "node:module";
import path from "node:path";
import { rolldown } from "rolldown";

const folder = path.resolve(process.argv[2] ?? "");
/** The files that a process begins with, by the names of their bundles. */
const entries = {
  main: path.join(folder, "cli/main.js"),
  worker: path.join(folder, "server/process/worker.js"),
};
/** @type {{ dependencies: Record<string, string> }} */
const { dependencies } = JSON.parse(fs.readFileSync(new URL("../package.json", import.meta.url), "utf8"));

/** Packages that are many small modules, and nothing but code. The others stay where they are. */
const bundled = ["typebox"];

const bundle = await rolldown({
  input: entries,
  platform: "node",
  // Comments in the bundle name modules by their paths from here. Each build has a folder of another name.
  cwd: folder,
  // What a package does not say to be free of effects stays whole.
  treeshake: { moduleSideEffects: (id) => !/\/node_modules\/typebox\//.test(id) },
  external: isPackage,
  plugins: [{ name: "places", transform: keepPlaces }],
});
await bundle.write({
  dir: path.join(folder, "program"),
  format: "esm",
  entryFileNames: "[name].js",
  // A program that starts during a build must not find the files of two.
  chunkFileNames: "[name]-[hash].js",
});

/** @param {string} id */
function isPackage(id) {
  if (id.startsWith(".") || path.isAbsolute(id)) return false;
  const name = id.split("/", id.startsWith("@") ? 2 : 1).join("/");
  if (bundled.includes(name)) return false;
  // The bundler brings in helpers of its own for some syntax, such as the end of a script in a template.
  if (!isBuiltin(id) && !(name in dependencies)) throw new Error(`package.json does not name ${id}`);
  return true;
}

/**
 * Modules find files by their own places, which those in a bundle no longer have. A bundled entry is beside
 * them.
 * @param {string} code
 * @param {string} id
 */
function keepPlaces(code, id) {
  if (!code.includes("import.meta.url")) return undefined;
  const place = `new URL(${JSON.stringify(`../${path.relative(folder, id)}`)}, import.meta.url).href`;
  return code
    .split(/(new URL\("[^"]+", import\.meta\.url\))/)
    .map((part) => besideEntry(part, id) ?? part.replaceAll("import.meta.url", place))
    .join("");
}

/** @param {string} part @param {string} id */
function besideEntry(part, id) {
  const file = /^new URL\("(\.[^"]+)", import\.meta\.url\)$/.exec(part)?.[1];
  const wanted = file && path.resolve(path.dirname(id), file);
  const name = Object.entries(entries).find(([, entry]) => entry === wanted)?.[0];
  return name && `new URL("./${name}.js", import.meta.url)`;
}
