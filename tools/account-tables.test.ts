import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";

const program = fileURLToPath(new URL("account-tables.js", import.meta.url));
const page = readFileSync(new URL("../docs/accounts.md", import.meta.url), "utf8");

function check(text: string) {
  const folder = mkdtempSync(path.join(os.tmpdir(), "parley-accounts-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = path.join(folder, "accounts.md");
  writeFileSync(file, text);
  const { status, stderr } = spawnSync(process.execPath, [program, "--check", file], { encoding: "utf8" });
  return { status, stderr };
}

test("the tables of the page about accounts are what the contract declares", () => {
  expect(check(page)).toEqual({ status: 0, stderr: "" });
});

test("a page whose tables lack a change is stale", () => {
  const row = page.split("\n").find((line) => line.includes("`second_step_removed`")) as string;
  const { status, stderr } = check(page.replace(`${row}\n`, ""));
  expect([status, stderr]).toEqual([1, "docs/accounts.md is stale: run node tools/account-tables.js\n"]);
});
