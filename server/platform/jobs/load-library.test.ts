import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { loadLibrary } from "./load-library.ts";

const require = createRequire(import.meta.url);

/** As a process that has not loaded the library yet. */
function forget(): void {
  const isOfLibrary = (file: string) => /\/node_modules\/(graphile-worker|cosmiconfig)\//.test(file);
  for (const file of Object.keys(require.cache).filter(isOfLibrary)) delete require.cache[file];
}

test("the library runs no settings of the directory in which the server was started", () => {
  const root = mkdtempSync(path.join(os.tmpdir(), "parley-start-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const dir = path.join(root, "below");
  mkdirSync(dir);
  writeFileSync(path.join(root, ".graphile-workerrc.cjs"), "throw new Error('this ran')");
  const cwd = vi.spyOn(process, "cwd").mockReturnValue(dir);
  onTestFinished(() => cwd.mockRestore());
  onTestFinished(forget);
  forget();
  expect(() => require("graphile-worker")).toThrow("this ran");
  forget();
  expect(loadLibrary().run).toBeInstanceOf(Function);
  expect(process.cwd()).toBe(dir);
});

test("the library prints no stacks between the lines of the log", () => {
  const { trace } = console;
  onTestFinished(() => {
    console.trace = trace;
  });
  const said = vi.fn();
  console.trace = said;
  loadLibrary();
  console.trace(new Error("a worker has ended"));
  expect(said).not.toHaveBeenCalled();
});
