/** What the shells themselves make of the scripts of `parley completion`, and groff of the manual's pages. */
import { execFileSync } from "node:child_process";
import { readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { beforeAll, expect, test } from "vitest";
import { build, parley, temporaryDirectory } from "../e2e/parley.ts";

beforeAll(build);

const run = (program: string, args: readonly string[]) =>
  execFileSync(program, args, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });

async function scriptFor(shell: string): Promise<string> {
  const { code, stdout } = await parley(["completion", shell]);
  expect(code).toBe(0);
  const file = path.join(temporaryDirectory(), shell);
  writeFileSync(file, stdout);
  return file;
}

/** Asks a shell what may follow: the last of the words is being typed. */
type Ask = (script: string, words: readonly string[]) => string;

const shells: Record<string, Ask> = {
  bash: (script, words) =>
    run("bash", [
      "-c",
      `. '${script}'; COMP_WORDS=(parley "$@"); COMP_CWORD=$#; _parley; printf '%s\\n' "\${COMPREPLY[@]}"`,
      "bash",
      ...words,
    ]),
  fish: (script, words) =>
    run("fish", ["-N", "-c", `source '${script}'; complete -C 'parley ${words.join(" ")}'`]),
  // Outside its line editor zsh has no completion, so what would be shown is printed.
  zsh: (script, words) =>
    run("zsh", [
      "-f",
      "-c",
      `compdef() { : }; . '${script}'; _describe() { print -rl -- "\${(@P)3}" }
      words=(parley "$@"); CURRENT=$#words; _parley`,
      "zsh",
      ...words,
    ]),
};

/** The words without their descriptions. */
const wordsOf = (output: string) =>
  output
    .trim()
    .split("\n")
    .map((line) => line.split(/[\t:]/)[0] ?? "");

test.each(Object.entries(shells))("%s completes commands and options", async (shell, ask) => {
  const script = await scriptFor(shell);
  const after = (...words: string[]) => wordsOf(ask(script, words));
  expect(after("")).toEqual(expect.arrayContaining(["serve", "user", "backup", "import"]));
  expect(after("user", "")).toEqual(expect.arrayContaining(["list", "create"]));
  expect(after("user", "")).not.toContain("serve");
  expect(after("user", "list", "--")).toEqual(
    expect.arrayContaining(["--all", "--json", "--data-dir", "--help"]),
  );
  // A command that is the first word of others, too.
  expect(after("backup", "")).toEqual(expect.arrayContaining(["list", "verify"]));
  expect(after("backup", "--")).toContain("--keep");
  expect(after("backup", "list", "--")).not.toContain("--keep");
});

test("a script for another shell is refused with those that there are", async () => {
  const refused = await parley(["completion", "tcsh"]);
  expect(refused).toMatchObject({ code: 2, stdout: "" });
  expect(refused.stderr).toContain("There are scripts for bash, fish, zsh.");
});

test("there is a manual page for each command, and groff finds nothing wrong with any", async () => {
  const dir = path.join(temporaryDirectory(), "man1");
  expect(await parley(["man", dir])).toMatchObject({ code: 0 });
  const pages = readdirSync(dir);
  expect(pages).toEqual(expect.arrayContaining(["parley.1", "parley-user-list.1", "parley-serve.1"]));
  const files = pages.map((page) => path.join(dir, page));
  expect(run("groff", ["-man", "-Tascii", "-ww", "-z", ...files])).toBe("");
  const shown = run("groff", ["-man", "-Tascii", "-P-cbou", path.join(dir, "parley-user-list.1")]);
  expect(shown).toMatch(/NAME\n +parley-user-list - list accounts/);
  expect(shown).toContain("--data-dir DIR");
});
