/**
 * What the documentation names must be there: files, identifiers, npm scripts, links, and the rules that code
 * cites. A name that a how-to makes up begins with `example` (`example-notes`, `ExampleNote`,
 * `0099_example_notes.sql`), and a capital X stands for any noun (`accessX`).
 */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));
const files = listFiles();
const folders = new Set(files.flatMap(parentsOf));
const pages = files.filter((file) => file.endsWith(".md"));
const sources = files.filter((file) => /\.(ts|js|sql|json)$/.test(file) && !isLeftOut(file));
const sourceWords = new Set(sources.flatMap((file) => wordsIn(read(file))));
const scripts = new Set(Object.keys(JSON.parse(read("package.json")).scripts));

/** The pages with instructions: each name in them is checked. */
const guides = pages.filter(
  (page) => page.startsWith("docs/howto/") || ["docs/README.md", "CONTRIBUTING.md"].includes(page),
);
/** Their lines are made by a tool, or belong to the page that introduces the project. */
const anyWidth = ["docs/permissions.md", "docs/performance.md", "README.md"];
const MAX_COLUMNS = 110;

describe("documentation", () => {
  test.each(pages)("%s has only relative links that lead somewhere", (page) => {
    expect(brokenLinks(page, read(page))).toEqual([]);
  });

  test.each(guides)("%s names only files, identifiers and scripts that exist", (page) => {
    expect(unknownNames(read(page))).toEqual([]);
  });

  test.each(pages.filter((page) => !page.startsWith("docs/decisions/")))(
    "%s names only paths that exist",
    (page) => {
      expect(unknownPaths(read(page))).toEqual([]);
    },
  );

  test("has a heading for every rule of the specification that the code cites", () => {
    const rules = rulesIn(read("docs/spec.md"));
    const missing = sources.flatMap((file) =>
      citationsIn(read(file)).flatMap((cited) =>
        missingRules(rules, cited).map((rule) => `${file}: ${rule}`),
      ),
    );
    expect(missing).toEqual([]);
  });

  test.each(pages.filter((page) => !anyWidth.includes(page)))("%s has no overlong line of prose", (page) => {
    const isProse = (line: string) => !line.startsWith("|") && !line.startsWith("#") && line.includes(" ");
    const prose = withoutFences(read(page)).split("\n").filter(isProse);
    expect(prose.filter((line) => [...line].length > MAX_COLUMNS)).toEqual([]);
  });

  test("is linked from its map, page by page", () => {
    const linked = linksIn(read("docs/README.md")).map(({ target }) => path.posix.join("docs", target));
    const mapped = (page: string) =>
      page.startsWith("docs/") && !/^docs\/(README|(decisions|api|help)\/.*)\.md$/.test(page);
    expect(pages.filter(mapped).filter((page) => !linked.includes(page))).toEqual([]);
  });

  test("has an index of the calls and events of the API", () => {
    const linked = linksIn(read("docs/api/README.md")).map(({ target }) => `docs/api/${target}`);
    const ofCalls = pages.filter((page) => page.startsWith("docs/api/") && page !== "docs/api/README.md");
    expect(ofCalls.length).toBeGreaterThan(100);
    expect(ofCalls.filter((page) => !linked.includes(page))).toEqual([]);
  });
});

describe("the check of the documentation", () => {
  test.each([
    ["a file that is not there", "See `server/people/nowhere/store.ts`."],
    ["a file of that name that is nowhere", "See `no-such-file.ts`."],
    ["a folder that is not there", "See `server/people/nowhere/`."],
    ["an identifier that no source has", "Call `neverWrittenAnywhere(tx)`."],
    ["an identifier in a block of code", "```ts\nawait neverWrittenAnywhere(tx);\n```"],
    ["an npm script that is not there", "Run `npm run nothing`."],
    ["a made-up file in a folder that is not there", "Add `server/nowhere/example-notes/store.ts`."],
  ])("notices %s", (_, text) => {
    expect(unknownNames(text)).toHaveLength(1);
  });

  test("notices a path that is not there in any page, and leaves other words with a slash alone", () => {
    expect(unknownPaths("`server/nowhere.ts`, `text/html`, `GET /events`")).toEqual(["server/nowhere.ts"]);
  });

  test.each([
    "See `server/app.ts`, `server/people/` and `package.json`.",
    "Add `server/people/example-notes/store.ts` with `insertExampleNote(tx, exampleNote)`.",
    "Run `npm run check`, then `npx vitest run tools/docs.test.ts`.",
    "```ts\n// Nobody checks words in a comment, or 'in a text'.\nawait changeContent(viewer, exampleWork);\n```",
  ])("accepts: %s", (text) => {
    expect(unknownNames(text)).toEqual([]);
  });

  test("notices links to files and headings that are not there", () => {
    const text = "[a](nowhere.md) [b](spec.md#nothing) [c](spec.md#versioning) [d](https://example.com)";
    expect(brokenLinks("docs/page.md", text)).toEqual(["nowhere.md", "spec.md#nothing"]);
  });

  test("reads every rule of a citation, and which fields it names", () => {
    const text =
      "/** The rules (spec E2, E3, reply). (spec Conventions 1,\n * 2) (spec Message, `recipient_id`) */";
    expect(citationsIn(text)).toEqual([
      { rules: ["E2", "E3"], fields: [] },
      { rules: ["Conventions 1", "Conventions 2"], fields: [] },
      { rules: ["Message"], fields: ["recipient_id"] },
    ]);
  });

  test("notices a cited rule, and a cited field, that the specification does not have", () => {
    const rules = rulesIn("## E2: subscribe\n\n`name` of the channel.\n");
    expect(missingRules(rules, { rules: ["E2", "E99"], fields: [] })).toEqual(["E99"]);
    expect(missingRules(rules, { rules: ["E2"], fields: ["name", "colour"] })).toEqual(["E2 `colour`"]);
  });
});

/** Committed files and those that would be. */
function listFiles(): string[] {
  const names = execFileSync("git", ["ls-files", "-co", "--exclude-standard", "-z"], { cwd: root });
  const all = names.toString().split("\0");
  return all.filter((name) => name !== "" && existsSync(path.join(root, name)));
}

function read(file: string): string {
  return readFileSync(path.join(root, file), "utf8");
}

function parentsOf(file: string): string[] {
  const parts = file.split("/").slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join("/"));
}

/** Tables of data hold nearly every word, and this test holds names that must not be found. */
function isLeftOut(file: string): boolean {
  return /^(tools\/docs\.test\.ts|package-lock\.json|markdown\/(emoji-data|languages)\.ts|bench\/results\/|markdown\/cases\/.*\.json)/.test(
    file,
  );
}

function wordsIn(text: string): string[] {
  return text.match(/[A-Za-z_$][\w$]*/g) ?? [];
}

function withoutFences(text: string): string {
  return text.replace(/^```[\s\S]*?^```$/gm, "");
}

interface Link {
  target: string;
  fragment: string;
}

function linksIn(text: string): Link[] {
  const prose = withoutFences(text).replace(/`[^`\n]*`/g, "");
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, address = ""]) => {
    const [target = "", fragment = ""] = address.split("#");
    return /^[a-z]+:/.test(address) ? [] : [{ target, fragment }];
  });
}

function brokenLinks(page: string, text: string): string[] {
  return linksIn(text).flatMap(({ target, fragment }) => {
    const file = target === "" ? page : path.posix.join(path.posix.dirname(page), target).replace(/\/$/, "");
    const isThere = files.includes(file) || folders.has(file);
    const isHeading = fragment === "" || (isThere && anchorsIn(read(file)).has(fragment));
    return isThere && isHeading ? [] : [fragment === "" ? target : `${target}#${fragment}`];
  });
}

/** As hosts of repositories make them: lower case, without punctuation, hyphens for spaces. */
function anchorsIn(text: string): Set<string> {
  const plain = (title: string) => title.toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, "");
  return new Set(headingsIn(text).map((title) => plain(title).replaceAll(" ", "-")));
}

function headingsIn(text: string): string[] {
  return [...withoutFences(text).matchAll(/^#+ (.*)$/gm)].map(([, title = ""]) => title);
}

function inlineCode(text: string): string[] {
  return [...withoutFences(text).matchAll(/`([^`\n]+)`/g)].map(([, name = ""]) => name);
}

/** Paths that begin with a folder of the repository. */
function unknownPaths(text: string): string[] {
  const isOurs = (name: string) => folders.has(name.split("/", 1)[0] ?? "");
  return inlineCode(text)
    .filter((name) => isPath(name) && isOurs(name))
    .flatMap(unknownPath);
}

/** What stands in backticks, or in a block of code, and is not in the repository. */
function unknownNames(text: string): string[] {
  const inline = inlineCode(text);
  const blocks = [...text.matchAll(/^```(?:ts|js|sql)\n([\s\S]*?)^```$/gm)].map(([, code = ""]) => code);
  return [...inline.flatMap(unknownIn), ...blocks.flatMap((code) => unknownWords(withoutTexts(code)))];
}

function withoutTexts(code: string): string {
  return code.replace(/(\/\/|--).*$/gm, "").replace(/"[^"\n]*"|'[^'\n]*'/g, "");
}

function unknownIn(name: string): string[] {
  if (/^(npm|npx|node|git) /.test(name)) return unknownInCommand(name);
  return isPath(name) ? unknownPath(name) : unknownWords(name);
}

function unknownInCommand(command: string): string[] {
  const [, script] = /^npm run ([\w:-]+)/.exec(command) ?? [];
  const paths = command.split(" ").filter(isPath).flatMap(unknownPath);
  return script === undefined || scripts.has(script) ? paths : [command];
}

function isPath(name: string): boolean {
  return /^\.?[\w@][\w.@-]*(\/[\w.@-]+)*\/?$/.test(name) && /\/|\.(ts|js|sql|json|md|txt|svg)$/.test(name);
}

/** A file of that path, a folder, or for a bare name a file anywhere; of a made-up path its real part. */
function unknownPath(name: string): string[] {
  const parts = name.replace(/\/$/, "").split("/");
  const made = parts.findIndex(isMadeUp);
  const real = (made < 0 ? parts : parts.slice(0, made)).join("/");
  if (real === "" || files.includes(real) || folders.has(real)) return [];
  return parts.length === 1 && files.some((file) => path.posix.basename(file) === real) ? [] : [name];
}

function unknownWords(code: string): string[] {
  const words = wordsIn(code.replace(/\\[nt]/g, " "));
  return [...new Set(words.filter((word) => !sourceWords.has(word) && !isMadeUp(word)))];
}

/** `example` begins a word of the name, or a capital X stands for a noun (`accessX`). */
function isMadeUp(name: string): boolean {
  return /(^|[^A-Za-z])example|Example|[a-z]X($|[A-Z])/.test(name);
}

interface Citation {
  rules: string[];
  fields: string[];
}

/**
 * Every `spec …` of the comments: rules between commas, where a bare number goes on with the page's last
 * heading.
 */
function citationsIn(text: string): Citation[] {
  const joined = text.replace(/\n\s*(\*|\/\/|--)\s?/g, " ");
  return [...joined.matchAll(/\bspec,? ([A-Z][^).;:\n]*)/g)].map(([, cited = ""]) => {
    const fields = [...cited.matchAll(/`(\w+)`/g)].map(([, field = ""]) => field);
    const items = cited.replace(/`[^`]*`/g, "").split(",");
    return { rules: rulesOf(items.map((item) => item.trim())), fields };
  });
}

function rulesOf(items: readonly string[]): string[] {
  let heading = "";
  return items.flatMap((item) => {
    if (/^[A-Z]/.test(item)) heading = item.replace(/ \d+$/, "");
    if (/^\d+$/.test(item)) return [`${heading} ${item}`];
    return /^[A-Z]/.test(item) ? [item] : [];
  });
}

/** The text under each heading, by what stands before the heading's colon. */
function rulesIn(text: string): Map<string, string> {
  const sections = text.split(/^#+ /m).slice(1);
  return new Map(
    sections.map((section) => {
      const end = section.indexOf("\n");
      return [section.slice(0, end).replace(/:.*/, ""), section.slice(end)];
    }),
  );
}

function missingRules(rules: ReadonlyMap<string, string>, { rules: cited, fields }: Citation): string[] {
  const missing = cited.filter((rule) => !rules.has(rule));
  const known = cited.flatMap((rule) => rules.get(rule) ?? []).join("\n");
  const lost = fields.filter((field) => missing.length === 0 && !known.includes(`\`${field}\``));
  return [...missing, ...lost.map((field) => `${cited.join(", ")} \`${field}\``)];
}
