import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, expect, test } from "vitest";

const program = fileURLToPath(new URL("check-prose.js", import.meta.url));
const long = "word ".repeat(30).trim();
let root: string;
afterEach(() => rmSync(root, { recursive: true, force: true }));

function check(file: string, text: string): { problems: string[]; status: number | null } {
  root = mkdtempSync(path.join(os.tmpdir(), "parley-prose-"));
  mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
  writeFileSync(path.join(root, file), text);
  const { status, stderr } = spawnSync(process.execPath, [program, root], { encoding: "utf8" });
  return { problems: stderr.split("\n").filter((line) => line !== ""), status };
}

test.each([
  ["short comments", "api/a.ts", "// Short.\n/** Short. */\nexport const a = 1;\n"],
  ["a wide string", "api/a.ts", `export const a = "${long}";\n`],
  ["a wide line after a block comment", "api/a.ts", `/* Short. */\nexport const a = "${long}";\n`],
  ["a wide comment for a tool", "api/a.ts", `// biome-ignore lint: ${long}\n`],
  ["a wide comment with a link", "api/a.ts", `// See https://example.com/${long}\n`],
  ["a wide table", "api/README.md", `| ${long} |\n`],
  ["wide code in a document", "api/README.md", `\`\`\`\n${long}\n\`\`\`\n`],
  ["a banned word as an identifier", "api/a.ts", "export const keystone = 1;\n"],
  ["a banned word as a single-word string", "api/a.ts", 'export const a = "ladder";\n'],
  ["a question, and the name of something", "api/a.ts", "// Who is it? Who may join. Who has read it.\n"],
  ["'of' within a sentence", "api/a.ts", "// The length of it. None of these is long.\n"],
  ["a folder that is not checked yet", "elsewhere/a.ts", `// ${long}\n`],
])("%s may stand", (_what, file, text) => {
  expect(check(file, text)).toEqual({ problems: [], status: 0 });
});

test.each([
  ["line comment", `  // ${long}\n`, "api/a.ts:1: 154 columns, where 110 are allowed."],
  ["block comment", `/**\n * ${long}\n */\n`, "api/a.ts:2: 152 columns, where 110 are allowed."],
])("a %s over 110 columns is refused", (_what, text, problem) => {
  expect(check("api/a.ts", text)).toEqual({ problems: [problem], status: 1 });
});

test("a line of a document over 110 columns is refused", () => {
  const problem = "tools/README.md:3: 149 columns, where 110 are allowed.";
  expect(check("tools/README.md", `\`\`\`\n\`\`\`\n${long}\n`)).toEqual({ problems: [problem], status: 1 });
});

test.each([
  ["comment", "client/a.ts", "// For whoever asks.\n", "whoever"],
  ["title of a test", "client/a.test.ts", 'test("the server hears of it", () => {});\n', "hears of"],
  ["title in a template", "client/a.test.ts", "test(`a rung up`, () => {});\n", "rung"],
  ["document", "client/README.md", "It begins Anew.\n", "Anew"],
])("a banned word in a %s is refused", (_what, file, text, word) => {
  expect(check(file, text)).toEqual({ problems: [`${file}:1: say '${word}' in other words.`], status: 1 });
});

test.each([
  ["comment that begins with 'Of'", "api/a.ts", "/** Of the answer's body. */\n", /say what it is 'of'/],
  ["document that does", "api/README.md", "It is long. Of these two are read.\n", /say what it is 'of'/],
  ["clause for a subject", "api/a.ts", "// Who joins by it is signed in.\n", /say 'people who …'/],
])("a %s is refused", (_what, file, text, problem) => {
  const { problems, status } = check(file, text);
  expect(problems).toEqual([expect.stringMatching(problem)]);
  expect(status).toBe(1);
});
