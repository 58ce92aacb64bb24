import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, expect, test } from "vitest";

const program = fileURLToPath(new URL("check-sources.js", import.meta.url));
let root: string;
afterEach(() => rmSync(root, { recursive: true, force: true }));

function check(file: string, text: string): { problems: string[]; status: number | null } {
  root = mkdtempSync(path.join(os.tmpdir(), "parley-sources-"));
  mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
  writeFileSync(path.join(root, file), text);
  const { status, stderr } = spawnSync(process.execPath, [program, root], { encoding: "utf8" });
  return { problems: stderr.split("\n").filter((line) => line !== ""), status };
}

const cast = `const id = 7 as ${"never"};`;
const anyError = `await expect(signIn()).rejects.toThrow${"()"};`;

test.each([
  [
    "the title of a test",
    "server/people/a.test.ts",
    `test("what waits, and what was ${"never"} sent", () => {});`,
  ],
  ["an expectation that nothing is thrown", "server/people/a.test.ts", `expect(act).not.toThrow${"()"};`],
  [
    "an error with its name",
    "server/people/a.test.ts",
    'await expect(signIn()).rejects.toThrow("No such user");',
  ],
])("%s may stand", (_, file, text) => {
  expect(check(file, text)).toEqual({ problems: [], status: 0 });
});

test.each([
  ["a test beside the code", "server/people/a.test.ts"],
  ["a test of the web client", "web/feed/a.test.ts"],
  ["the tests' harness", "test/harness/a.ts"],
  ["a test of a tool", "tools/a.test.ts"],
])("a value that is cast to fit anywhere is refused in %s", (_, file) => {
  const advice = "give the value its type, such as harness.channelId(name) for an id";
  const problem = `${file}:2: ${advice} (as ${"never"}).`;
  expect(check(file, `// An id.\n${cast}`)).toEqual({ problems: [problem], status: 1 });
});

test("a cast behind a text in quotes is refused, too", () => {
  const { problems } = check("server/people/a.test.ts", `post("/register", all as ${"never"});`);
  expect(problems).toEqual([expect.stringContaining("give the value its type")]);
});

test.each(["server", "client", "web", "cli"])("such a cast is refused in the sources of %s", (folder) => {
  const { problems, status } = check(`${folder}/people/a.ts`, cast);
  expect(problems).toEqual([expect.stringContaining("typed by its declaration, without a cast")]);
  expect(status).toBe(1);
});

test("a test that any error would pass is refused", () => {
  const { problems, status } = check("server/accounts/a.test.ts", anyError);
  expect(problems).toEqual([expect.stringMatching(/^server\/accounts\/a\.test\.ts:1: any error would do/)]);
  expect(status).toBe(1);
});
