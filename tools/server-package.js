// The server's package, which npm installs anywhere: `npm install --global FILE`. It has a built program and
// needs no compiler. docs/deploy.md installs it.
//
// All packages have the versions of package-lock.json: npm reads them from npm-shrinkwrap.json. Decision 74
// says what is left out.
import { archive } from "./archive.js";

/** What only a build needs. A start from the sources builds, so package.json has them as dependencies. */
export const buildOnly = [
  "@floating-ui/dom",
  "lucide-static",
  "rolldown",
  "solid-js",
  "twemoji-colr-font",
  "virtua",
  "vite",
  "vite-plugin-solid",
];

/** @typedef {Record<string, string>} Versions */
/**
 * @typedef {object} Locked
 * @property {boolean} [dev]
 * @property {Versions} [dependencies]
 * @property {Versions} [optionalDependencies]
 * @property {Versions} [peerDependencies]
 * @property {Record<string, { optional?: boolean }>} [peerDependenciesMeta]
 */

/**
 * The package as a tar.gz with the folder that npm expects.
 * @param {ReadonlyMap<string, Buffer>} serverFiles those of the release's archive
 * @param {Date} time of its files
 */
export async function serverPackage(serverFiles, time) {
  return archive("package", packageFiles(serverFiles), { time, programs: ["bin/parley.js"] });
}

/**
 * The files of the package, which is what others install too.
 * @param {ReadonlyMap<string, Buffer>} serverFiles those of the release's archive
 */
export function packageFiles(serverFiles) {
  const files = new Map(serverFiles);
  /** @param {string} file */
  const read = (file) => JSON.parse(/** @type {Buffer} */ (files.get(file)).toString());
  const manifest = manifestOf(read("package.json"));
  files.set("package.json", jsonOf(manifest));
  files.set("npm-shrinkwrap.json", jsonOf(shrinkwrapOf(read("package-lock.json"), manifest)));
  for (const file of ["package-lock.json", ".npmrc"]) files.delete(file);
  return files;
}

/** @param {any} manifest of the checkout */
export function manifestOf({
  private: _,
  scripts: _scripts,
  devDependencies: _dev,
  overrides: _over,
  ...rest
}) {
  const all = /** @type {[string, string][]} */ (Object.entries(rest.dependencies));
  return { ...rest, dependencies: Object.fromEntries(all.filter(([name]) => !buildOnly.includes(name))) };
}

/**
 * The lockfile without what the package does not need.
 * @param {{ packages: Record<string, Locked> }} lock
 * @param {Locked & { name: string, version: string }} manifest
 */
export function shrinkwrapOf({ packages, ...lock }, manifest) {
  const { dependencies, optionalDependencies } = manifest;
  /** @type {Set<string>} */
  const needed = new Set();
  /** @param {string} folder @param {Locked} of */
  const follow = (folder, of) => {
    const peers = Object.keys(of.peerDependencies ?? {}).filter(
      // Packages can do without these. The compiler is one of them.
      (name) => !of.peerDependenciesMeta?.[name]?.optional,
    );
    for (const name of [...Object.keys({ ...of.dependencies, ...of.optionalDependencies }), ...peers]) {
      const found = placesOf(folder, name).find((place) => place in packages);
      if (found === undefined || needed.has(found)) continue;
      needed.add(found);
      follow(found, /** @type {Locked} */ (packages[found]));
    }
  };
  follow("", { dependencies, optionalDependencies });
  const kept = Object.entries(packages).filter(([folder]) => needed.has(folder));
  const own = { ...packages[""], dependencies, optionalDependencies };
  delete (/** @type {any} */ (own).devDependencies);
  return { ...lock, packages: { "": own, ...Object.fromEntries(kept) } };
}

/** Where Node.js looks for a package, from a folder outwards. @param {string} folder @param {string} name */
function placesOf(folder, name) {
  const parts = folder === "" ? [] : folder.split(/\/?node_modules\//).slice(1);
  return Array.from({ length: parts.length + 1 }, (_, index) =>
    [...parts.slice(0, parts.length - index), name].map((part) => `node_modules/${part}`).join("/"),
  );
}

/** @param {object} value */
function jsonOf(value) {
  return Buffer.from(`${JSON.stringify(value, undefined, 2)}\n`);
}
