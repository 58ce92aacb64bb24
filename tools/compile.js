// Compiles the sources of the checkout in the first argument into the folder in the second. Each module
// becomes a module there, for benchmarks, cases and tools. The program becomes a few files in `program/`,
// since Node takes most of a second to find and read two thousand. tools/build.js runs this in a process of
// its own, whose memory is free again.
import fs from "node:fs";
import { isBuiltin } from "node:module";
import path from "node:path";
import { stripVTControlCharacters } from "node:util";
import { rolldown } from "rolldown";
import { transformSync } from "rolldown/utils";
import { filesIn } from "./build.js";
import { sourceFolders } from "./is-stale.js";

const root = path.resolve(process.argv[2] ?? "");
const folder = path.resolve(process.argv[3] ?? "");
/** The files that a process begins with, by the names of their bundles. */
const entries = {
  main: path.join(root, "cli/main.ts"),
  worker: path.join(root, "server/process/worker.ts"),
  backup: path.join(root, "server/platform/backup/backup-process.ts"),
};
/** @type {{ dependencies: Record<string, string> }} */
const { dependencies } = JSON.parse(fs.readFileSync(path.join(root, "package.json"), "utf8"));

/** Packages that are many small modules, and nothing but code. The others stay where they are. */
const bundled = ["typebox"];

const problems = sourceFolders.flatMap((name) =>
  filesIn(path.join(root, name)).flatMap((file) => emit(`${name}/${file}`)),
);
if (problems.length > 0) {
  console.error(problems.join("\n"));
  process.exit(1);
}

const bundle = await rolldown({
  input: entries,
  platform: "node",
  // Comments in the bundle name modules by their paths from here.
  cwd: root,
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

/** Writes the module that a source becomes, or gives its faults with their places. @param {string} file */
function emit(file) {
  if (!/\.ts$/.test(file) || /\.(test|d)\.ts$/.test(file)) return [];
  const source = fs.readFileSync(path.join(root, file), "utf8");
  const { code, map, errors } = transformSync(file, source, {
    target: "es2023",
    sourcemap: true,
    typescript: { onlyRemoveTypeImports: true, rewriteImportExtensions: "rewrite" },
  });
  if (errors.length > 0) return errors.map(({ message }) => stripVTControlCharacters(message));
  const target = path.join(folder, file.replace(/\.ts$/, ".js"));
  const { base } = path.parse(target);
  fs.mkdirSync(path.dirname(target), { recursive: true });
  fs.writeFileSync(target, `${code}//# sourceMappingURL=${base}.map\n`);
  const from = path.relative(path.dirname(target), path.join(root, file));
  fs.writeFileSync(`${target}.map`, JSON.stringify({ ...map, file: base, sources: [from] }));
  return [];
}

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
  const place = `new URL(${JSON.stringify(`../${path.relative(root, id)}`)}, import.meta.url).href`;
  return code
    .split(/(new URL\("[^"]+", import\.meta\.url\))/)
    .map((part) => besideEntry(part, id) ?? part.replaceAll("import.meta.url", place))
    .join("");
}

/** @param {string} part @param {string} id */
function besideEntry(part, id) {
  const file = /^new URL\("(\.[^"]+)\.[jt]s", import\.meta\.url\)$/.exec(part)?.[1];
  const wanted = file && `${path.resolve(path.dirname(id), file)}.ts`;
  const name = Object.entries(entries).find(([, entry]) => entry === wanted)?.[0];
  return name && `new URL("./${name}.js", import.meta.url)`;
}
