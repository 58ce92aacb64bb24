// Compiles the sources into dist/, lays the files beside them that the program reads, and bundles the program
// into dist/program/. Prints nothing when all is well.
//
// A build works in a folder of its own inside dist/ and then puts each changed file in its place by a rename.
// So nobody who runs from dist/ meanwhile, or builds it too, ever finds a file missing or half written. Types
// are not checked here, which `npm run check` does: starting needs the emitted code only.
import { spawnSync } from "node:child_process";
import * as fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { STAMP, sourceFolders } from "./is-stale.js";

const checkout = fileURLToPath(new URL("..", import.meta.url));
const SCRATCH = ".building-";
const ABANDONED_MS = 10 * 60 * 1000;
/** The folder in dist/ that tools/client-package.js makes. */
export const CLIENT_PACKAGE = "client-package";
/** The folder in dist/ that tools/build-web.js makes. */
const WEB = "web";
/** The folder in dist/ with the bundled program, which tools/compile.js makes. */
const PROGRAM = "program/";

/** Files that are read at run time, besides those that the compiler makes; never fixtures of tests. */
const isAsset = (/** @type {string} */ file) =>
  !/\.(tsx?|md)$/.test(file) &&
  !/\/(cases|samples)\//.test(file) &&
  !file.startsWith("bench/") &&
  file !== "client/package.json";

/** The folder can't be written to: an older build in it may still do. */
export class NotWritable extends Error {}

/**
 * Throws with the compiler's words when a source can't be compiled; dist/ is then as it was.
 * @param {string} [root]
 */
export function build(root = checkout) {
  const dist = path.join(root, "dist");
  const scratch = makeScratch(dist);
  try {
    const startedAt = new Date();
    compile(root, scratch);
    copyAssets(root, scratch);
    const made = filesIn(scratch);
    // What begins a program comes last, when all that it imports is there.
    const isEntry = (/** @type {string} */ file) => /^program\/[a-z]+\.js$/.test(file);
    for (const file of made.sort((one, other) => Number(isEntry(one)) - Number(isEntry(other))))
      putInPlace(path.join(scratch, file), path.join(dist, file));
    removeLeftovers(dist, new Set(made));
    fs.writeFileSync(path.join(scratch, STAMP), "");
    fs.utimesSync(path.join(scratch, STAMP), startedAt, startedAt);
    fs.renameSync(path.join(scratch, STAMP), path.join(dist, STAMP));
  } finally {
    fs.rmSync(scratch, { recursive: true, force: true });
  }
}

/** Whether there is a whole build, of whatever age. @param {string} [root] */
export function hasBuild(root = checkout) {
  return fs.existsSync(path.join(root, "dist", STAMP));
}

/** @param {string} dist */
export function makeScratch(dist) {
  try {
    fs.mkdirSync(dist, { recursive: true });
    for (const name of fs.readdirSync(dist).filter((name) => name.startsWith(SCRATCH))) {
      const left = fs.statSync(path.join(dist, name), { throwIfNoEntry: false });
      if (left && Date.now() - left.mtimeMs > ABANDONED_MS)
        fs.rmSync(path.join(dist, name), { recursive: true, force: true });
    }
    return fs.mkdtempSync(path.join(dist, SCRATCH));
  } catch (error) {
    const { code, message } = /** @type {NodeJS.ErrnoException} */ (error);
    throw ["EACCES", "EPERM", "EROFS"].includes(code ?? "") ? new NotWritable(message) : error;
  }
}

/** @param {string} root @param {string} folder */
function compile(root, folder) {
  const script = fileURLToPath(new URL("compile.js", import.meta.url));
  const { status, stderr } = spawnSync(process.execPath, [script, root, folder], { encoding: "utf8" });
  if (status !== 0) throw new Error(`The sources can't be compiled.\n${stderr}`.trim());
}

/** @param {string} root @param {string} to */
function copyAssets(root, to) {
  for (const folder of sourceFolders) {
    for (const file of filesIn(path.join(root, folder)).map((name) => `${folder}/${name}`)) {
      if (!isAsset(file)) continue;
      fs.mkdirSync(path.dirname(path.join(to, file)), { recursive: true });
      fs.copyFileSync(path.join(root, file), path.join(to, file));
    }
  }
}

/**
 * Moves a file if it differs; an unchanged file keeps its time.
 * @param {string} from
 * @param {string} to
 */
export function putInPlace(from, to) {
  if (fs.existsSync(to) && fs.readFileSync(to).equals(fs.readFileSync(from))) return;
  fs.mkdirSync(path.dirname(to), { recursive: true });
  fs.renameSync(from, to);
}

/** Removes what no source makes any more. @param {string} dist @param {Set<string>} made */
function removeLeftovers(dist, made) {
  for (const file of filesIn(dist)) {
    const isOthers = [CLIENT_PACKAGE, WEB].some((folder) => file.startsWith(`${folder}/`));
    const isOurs = file !== STAMP && !isOthers && !isInUse(dist, file);
    if (isOurs && !made.has(file)) fs.rmSync(path.join(dist, file), { force: true });
  }
}

/** A part of the bundle before, which a program that has just started may still import. */
function isInUse(/** @type {string} */ dist, /** @type {string} */ file) {
  if (!file.startsWith(PROGRAM)) return false;
  const { mtimeMs = 0 } = fs.statSync(path.join(dist, file), { throwIfNoEntry: false }) ?? {};
  return Date.now() - mtimeMs < ABANDONED_MS;
}

/**
 * Paths with forward slashes, relative to the folder, but for those in another build's scratch, which comes
 * and goes.
 */
export function filesIn(/** @type {string} */ folder, prefix = "") {
  /** @type {string[]} */
  const files = [];
  if (!fs.existsSync(folder)) return files;
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    if (entry.name.startsWith(SCRATCH)) continue;
    const name = prefix + entry.name;
    if (entry.isFile()) files.push(name);
    else if (entry.isDirectory()) files.push(...filesIn(path.join(folder, entry.name), `${name}/`));
  }
  return files;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    build();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
