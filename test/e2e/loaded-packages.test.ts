/** What a process loads takes most of the time of a command, and people wait for it. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { beforeAll, expect, test } from "vitest";
import { build, parley, temporaryDirectory, usedDirectory } from "./parley.ts";

beforeAll(build);

const NOTES = new URL("note-modules.js", import.meta.url).href;

/** The npm packages that the program itself imports while the command runs, each once. */
async function packagesOf(words: string[], env: Record<string, string> = {}): Promise<string[]> {
  const file = path.join(temporaryDirectory(), "modules");
  const { code, stderr } = await parley(words, {
    ...env,
    NODE_OPTIONS: `--import=${NOTES}`,
    NOTED_MODULES: file,
  });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const urls = readFileSync(file, "utf8").split("\n");
  expect(urls.some((url) => url.endsWith("/program/main.js"))).toBe(true);
  const names = urls.flatMap((url) => /\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url)?.[1] ?? []);
  return [...new Set(names)].sort();
}

test("a command that asks the database loads its driver and the log, and neither HTTP nor providers", {
  timeout: 120_000,
}, async () => {
  const dataDir = await usedDirectory("demo");
  const packages = await packagesOf(["user", "list"], { PARLEY_DATA_DIR: dataDir });
  expect(packages).toEqual(["otpauth", "pg", "pino", "qrcode-generator"]);
});

test("the help loads no package at all", async () => {
  expect(await packagesOf(["help"])).toEqual([]);
});
