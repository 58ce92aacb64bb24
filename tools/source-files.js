// The files that tools/check-sources.js reads, and how its rules look at them.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";

/**
 * File contents by path from the root, with forward slashes.
 * @typedef {ReadonlyMap<string, string>} Sources
 */

const folders = ["api", "bench", "client", "cli", "markdown", "server", "test", "tools", "web"];

/**
 * The sources of the program, and apart from them its tests and what they are made with.
 * @param {string} root
 */
export function readSources(root) {
  const all = [...readFiles(root)];
  return {
    sources: new Map(all.filter(([file]) => /^(api|client|cli|server|web)\//.test(file) && !isOfTests(file))),
    tests: new Map(all.filter(([file]) => isOfTests(file))),
  };
}

/** @param {string} file */
function isOfTests(file) {
  return file.startsWith("test/") || /\.test\.tsx?$/.test(file);
}

/** @param {string} root */
function readFiles(root) {
  /** @type {Map<string, string>} */
  const found = new Map();
  for (const folder of folders.filter((each) => existsSync(path.join(root, each)))) {
    for (const name of readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" })) {
      const file = path.posix.join(folder, name.split(path.sep).join("/"));
      if (/\.tsx?$/.test(file) && !file.includes("node_modules/"))
        found.set(file, readFileSync(path.join(root, file), "utf8"));
    }
  }
  return found;
}

/** @param {Sources} sources @param {RegExp} pattern */
export function filesWith(sources, pattern) {
  return [...sources].filter(([, text]) => text.search(pattern) >= 0).map(([file]) => file);
}

/**
 * The problem of each file in a folder whose code has these words.
 * @param {Sources} sources @param {string} folder @param {RegExp} pattern @param {string} advice
 */
export function wordProblems(sources, folder, pattern, advice) {
  return [...sources]
    .filter(([file, text]) => file.startsWith(folder) && pattern.test(codeOf(text)))
    .map(([file, text]) => `${file}: ${advice} (${pattern.exec(codeOf(text))?.[0].trim()}).`);
}

/**
 * A text without what is in quotes, such as the title of a test, and without comments at the end of a line.
 * @param {string} text
 */
export function codeOf(text) {
  return text.replace(/"(?:[^"\\\n]|\\.)*"|`[^`\n]*`/g, '""').replace(/(^|\s)(\/\/|\/?\*).*$/gm, "");
}
