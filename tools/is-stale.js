// Whether dist/ has to be built before it can be run: it is missing, or a source has changed since the build
// began. Every start asks this, so it only looks at times: of files, and of folders, whose time changes when
// a file goes.
import { readdirSync, statSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const checkout = fileURLToPath(new URL("..", import.meta.url));

/** Written by the build; its time is the moment at which the build began to read the sources. */
export const STAMP = ".built";
/** The same in dist/web, where the browser's client is. */
export const WEB_STAMP = ".built-web";
const webFolders = ["web", "client", "api", "markdown"];

/** The folders that are compiled. */
export const sourceFolders = ["api", "client", "markdown", "server", "cli", "bench"];

/** @param {string} [root] */
export function isStale(root = checkout) {
  const built = timeOf(path.join(root, "dist", STAMP));
  return built === undefined || newestSource(root) > built;
}

/** Whether the browser's client has to be built. @param {string} [root] */
export function isWebStale(root = checkout) {
  const newest = newestWebSource(root);
  // An installation without sources has what its package brought.
  if (newest === 0) return false;
  const built = timeOf(path.join(root, "dist", "web", WEB_STAMP));
  return built === undefined || newest > built;
}

/** @param {string} [root] */
export function newestWebSource(root = checkout) {
  if (timeOf(path.join(root, "web")) === undefined) return 0;
  return Math.max(...webFolders.map((folder) => newestIn(path.join(root, folder))));
}

/**
 * When a source last changed, in milliseconds. An installation without sources has none.
 * @param {string} [root]
 */
export function newestSource(root = checkout) {
  const files = ["tsconfig.json", "package.json"].map((name) => timeOf(path.join(root, name)) ?? 0);
  if (files[0] === 0) return 0;
  return Math.max(...files, ...sourceFolders.map((folder) => newestIn(path.join(root, folder))));
}

/** @param {string} folder @returns {number} */
function newestIn(folder) {
  let newest = timeOf(folder) ?? 0;
  for (const entry of entriesOf(folder)) {
    const file = `${folder}/${entry.name}`;
    if (entry.isDirectory()) newest = Math.max(newest, newestIn(file));
    else if (!entry.name.endsWith(".test.ts")) newest = Math.max(newest, timeOf(file) ?? 0);
  }
  return newest;
}

/** @param {string} folder */
function entriesOf(folder) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** @param {string} file */
function timeOf(file) {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = isStale() ? 1 : 0;
