// Runs the tests with vitest's options that are given, and once more the files in which one failed. Two
// processors that other machines use too stand still for a second now and then, and of thousands of tests one
// then waits for the wrong thing. A file that fails twice fails the run. One that passes on its own is named
// at the end: its test is to be mended.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
/** So many failing files are no accident. */
const MAX_FILES = 4;

const words = process.argv.slice(2);
const dir = mkdtempSync(path.join(os.tmpdir(), "parley-tests-"));
try {
  process.exitCode = runTwice();
} finally {
  rmSync(dir, { recursive: true, force: true });
}

function runTwice() {
  const report = path.join(dir, "report.json");
  const status = vitest([...words, "--reporter=default", "--reporter=json", `--outputFile.json=${report}`]);
  if (status === 0) return 0;
  const files = failedFiles(report);
  if (files.length === 0 || files.length > MAX_FILES) return status;
  const names = files.map((file) => path.relative(root, file)).join("\n");
  console.log(`\nOnce more, each on its own:\n${names}`);
  for (const file of files) {
    const again = vitest([...words, file]);
    if (again !== 0) return again;
  }
  console.log(`\nFailed among the others and passed on their own, to be mended:\n${names}`);
  return 0;
}

/** @param {string[]} options */
function vitest(options) {
  const program = path.join(root, "node_modules", "vitest", "vitest.mjs");
  return (
    spawnSync(process.execPath, [program, "run", ...options], { cwd: root, stdio: "inherit" }).status ?? 1
  );
}

/**
 * The paths of those with a failed test. None when the run failed otherwise, such as by an error
 * outside of all tests.
 * @param {string} report
 */
function failedFiles(report) {
  if (!existsSync(report)) return [];
  /** @type {{ testResults: { name: string, status: string }[] }} */
  const { testResults } = JSON.parse(readFileSync(report, "utf8"));
  return testResults.filter(({ status }) => status === "failed").map(({ name }) => name);
}
