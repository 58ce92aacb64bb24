// The checks that must pass before a commit, as steps that print their name and their problems. All of them
// run, and the end lists the failed ones. The tests are a separate command.
import { spawnSync } from "node:child_process";
import { lstatSync, readFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

/**
 * The declarations alone, in seconds. What a server does with them is in the rest of test/contract, by `npm
 * test`.
 */
const CONTRACT_TEST = "test/contract/contract.test.ts";

/** @type {[string, () => string | undefined][]} each gives what is wrong, or undefined */
const steps = [
  [
    "format and lint",
    () => program("@biomejs/biome", "bin/biome", ["ci", "--colors=off", "--log-level=error", "."]),
  ],
  ["types", () => program("typescript", "bin/tsc", ["-p", "tsconfig.json"])],
  ["types of the web client", () => program("typescript", "bin/tsc", ["-p", "web/tsconfig.json"])],
  ["types of its tests", () => program("typescript", "bin/tsc", ["-p", "test/machine/web/tsconfig.json"])],
  ["import directions", () => run(["tools/check-imports.js"])],
  ["pages of the modules and their owners", () => run(["tools/architecture.js", "--check"])],
  ["places of endpoints, events and SQL", () => run(["tools/check-sources.js"])],
  ["lines of comments and prose", () => run(["tools/check-prose.js"])],
  ["build", () => run(["tools/build.js"])],
  ["database schema", () => run(["tools/dump-schema.js", "--check"])],
  ["page of permissions", () => run(["tools/permissions.js", "--check"])],
  ["page of accounts", () => run(["tools/account-tables.js", "--check"])],
  ["page of costs", () => run(["tools/costs.js", "--check"])],
  ["pages of the API", () => run(["tools/generate-api-docs.js", "--check"])],
  ["page of faults", () => run(["tools/faults.js", "--check"])],
  ["keys in the help", () => run(["tools/help-keys.js", "--check"])],
  ["contract", () => program("vitest", "vitest.mjs", ["run", "--silent", "--reporter=dot", CONTRACT_TEST])],
  ["lockfile names no registry", lockfileProblem],
  ["no paths of one machine", machinePathProblem],
];

/** @type {string[]} */
const failed = [];
for (const [name, step] of steps) {
  const startedAt = performance.now();
  const problem = step();
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  console.log(`${problem === undefined ? "ok    " : "FAILED"} ${name} (${seconds} s)`);
  if (problem === undefined) continue;
  failed.push(name);
  console.log(problem.replace(/^/gm, "  "));
}
console.log(failed.length === 0 ? "All is well." : `Failed: ${failed.join(", ")}.`);
process.exitCode = failed.length === 0 ? 0 : 1;

/**
 * Runs a package's program without a shell and without npx.
 * @param {string} name
 * @param {string} file
 * @param {string[]} words
 */
function program(name, file, words) {
  return run([path.join(root, "node_modules", name, file), ...words]);
}

/** @param {string[]} words */
function run(words) {
  const { status, stdout, stderr } = spawnSync(process.execPath, words, {
    cwd: root,
    encoding: "utf8",
    env: { ...process.env, NO_COLOR: "1" },
    maxBuffer: 2 ** 26,
  });
  return status === 0 ? undefined : `${stdout}${stderr}`.trim() || `ended with status ${status}`;
}

/** An address in the lockfile ties every installation to the registry of its author. */
function lockfileProblem() {
  const lines = readFileSync(path.join(root, "package-lock.json"), "utf8").split("\n");
  const found = lines.filter(
    (line) => /"resolved":\s*"(?!file:)/.test(line) || /"(https?|git\+\w+):\/\/[^"]*\.tgz"/.test(line),
  );
  return found.length === 0
    ? undefined
    : found
        .slice(0, 5)
        .map((line) => line.trim())
        .join("\n");
}

/** Tracked files must not contain the path of this checkout or of a home directory. */
function machinePathProblem() {
  const folders = [root, path.dirname(path.resolve(root)), os.homedir()].map(
    (folder) => `${path.resolve(folder)}/`,
  );
  // A checkout may lie right below these, and texts of tests name them.
  const common = ["/root/", `${os.tmpdir()}/`];
  const paths = folders.filter((folder) => folder.split("/").length > 2 && !common.includes(folder));
  const homes = /\/(home|Users)\/(?!USER|NAME|you\/|\.\.\.)[a-z][\w.-]*\//;
  const found = trackedFiles().flatMap((file) => {
    const text = readFileSync(path.join(root, file), "utf8");
    if (text.includes("\0")) return [];
    const lines = text.split("\n").map((line, index) => ({ line, at: `${file}:${index + 1}` }));
    return lines
      .filter(({ line }) => homes.test(line) || paths.some((one) => line.includes(one)))
      .map(({ at, line }) => `${at}: ${line.trim().slice(0, 120)}`);
  });
  return found.length === 0 ? undefined : found.slice(0, 20).join("\n");
}

/** Committed files and those that would be. */
function trackedFiles() {
  const { stdout } = spawnSync("git", ["ls-files", "-co", "--exclude-standard", "-z"], {
    cwd: root,
    encoding: "utf8",
  });
  return stdout
    .split("\0")
    .filter((file) => file !== "" && lstatSync(path.join(root, file), { throwIfNoEntry: false })?.isFile());
}
