import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Runs a file of one test with this body twice at most. */
function run(body: string): { status: number | null; output: string } {
  const dir = mkdtempSync(path.join(os.tmpdir(), "parley-twice-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  symlinkSync(path.join(root, "node_modules"), path.join(dir, "node_modules"));
  writeFileSync(
    path.join(dir, "one.test.js"),
    `import { existsSync, writeFileSync } from "node:fs";
    import { expect, test } from "vitest";
    test("one", () => { ${body} });`,
  );
  const words = [path.join(root, "tools", "test-twice.js"), "--root", dir];
  const { status, stdout, stderr } = spawnSync(process.execPath, words, { encoding: "utf8" });
  return { status, output: stdout + stderr };
}

test("what passes runs once", () => {
  const { status, output } = run("expect(1).toBe(1);");
  expect(status).toBe(0);
  expect(output).not.toContain("Once more");
});

test("what fails among the others and passes on its own is named", () => {
  const { status, output } = run(`
    const isFirst = !existsSync(import.meta.dirname + "/seen");
    writeFileSync(import.meta.dirname + "/seen", "");
    expect(isFirst).toBe(false);`);
  expect(status).toBe(0);
  expect(output).toMatch(/to be mended:\n.*one\.test\.js/);
});

test("what fails twice fails the run", () => {
  const { status, output } = run("expect(1).toBe(2);");
  expect(status).toBe(1);
  expect(output).toContain("Once more");
  expect(output).not.toContain("to be mended");
});
