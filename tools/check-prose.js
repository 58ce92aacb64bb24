// Prints each line of comments and docs that is too wide, and each banned word in them, and fails if there is
// one. A root in the first argument takes the place of this checkout.
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

/** What is checked so far: folders, with all that is below them, and files. */
export const folders = [
  "README.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  "CHANGELOG.md",
  "CODE_OF_CONDUCT.md",
  ".github",
  "api",
  "bench",
  "cli",
  "client",
  "docs",
  "markdown",
  "server",
  "web",
  "test",
  "tools",
];

/** Data, files that must name the banned words, and rules that are laid out by hand. */
const exempt = [
  "markdown/emoji-data.ts",
  "tools/check-imports.js",
  "tools/check-prose.js",
  "tools/check-prose.test.ts",
  "tools/import-rules.js",
];

const MAX_COLUMNS = 110;
const banned =
  /\b(whoever|anew|onlookers?|overhear(s|d|ing)?|keystone|ladders?|rungs?|hears of|tells of)\b/gi;
/** A sentence that begins with "Of": the noun is left out, or stands too late. */
const nounless = /(^|[.!?:] |\*\* |\| )Of \S+( \S+){0,2}/;
const verbs = "is|are|was|were|has|can|may|must|gets|goes|sees|needs|stays|knows|does|waits|begins|follows";
/**
 * "Who joins is signed in.": a clause with "who" is the subject, and a second verb follows. "Who may join" as
 * the name of something is fine, and so is a question.
 */
const headless = new RegExp(
  `(^|[.!?] |\\*\\* )Who (?!.{0,60}\\?)[\\w']+ ([\\w']+ ){0,7}?(?<!\\b(that|which|who|they|what|and|or|whose|where|if|when|as|people|one) )(${verbs})\\b`,
);
/** A string on one line; a test's title is one. Only strings with a space in them are taken for prose. */
const quoted = /"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`/g;

const root = process.argv[2] ?? fileURLToPath(new URL("..", import.meta.url));
const problems = folders.flatMap(filesIn).flatMap((file) => {
  const lines = readFileSync(path.join(root, file), "utf8").split("\n");
  return file.endsWith(".md") ? checkMarkdown(file, lines) : checkSource(file, lines);
});
for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;

/** Paths from the root, with forward slashes. @param {string} place @returns {string[]} */
function filesIn(place) {
  const full = path.join(root, place);
  if (!existsSync(full) || exempt.includes(place)) return [];
  if (statSync(full).isDirectory()) {
    return readdirSync(full).flatMap((name) => (name === "node_modules" ? [] : filesIn(`${place}/${name}`)));
  }
  return /\.([jt]sx?|md)$/.test(place) ? [place] : [];
}

/** @param {string} file @param {string[]} lines */
function checkSource(file, lines) {
  let isInBlock = false;
  return lines.flatMap((line, index) => {
    const text = line.trim();
    const isComment = isInBlock || /^\/[/*]/.test(text);
    isInBlock = (isInBlock || text.startsWith("/*")) && !text.includes("*/");
    const prose = isComment
      ? text
      : (line.match(quoted) ?? []).filter((string) => string.includes(" ")).join(" ");
    return [
      // An instruction to a tool stays on one line.
      ...(isComment && !/^\/\/ biome-ignore/.test(text) ? widthProblems(file, index, line) : []),
      ...wordProblems(file, index, prose),
      ...(isComment ? subjectProblems(file, index, text) : []),
    ];
  });
}

/** Tables and code can't be wrapped. @param {string} file @param {string[]} lines */
function checkMarkdown(file, lines) {
  let isInCode = false;
  return lines.flatMap((line, index) => {
    const isFence = /^\s*(```|~~~)/.test(line);
    if (isFence) isInCode = !isInCode;
    if (isFence || isInCode) return [];
    const isTable = line.trimStart().startsWith("|");
    return [
      ...(isTable ? [] : widthProblems(file, index, line)),
      ...wordProblems(file, index, line),
      ...subjectProblems(file, index, line),
    ];
  });
}

/**
 * A line with a link may be as wide as the link needs.
 * @param {string} file @param {number} index @param {string} line
 */
function widthProblems(file, index, line) {
  const columns = [...line].length;
  if (columns <= MAX_COLUMNS || /https?:\/\/|\]\(/.test(line)) return [];
  return [`${file}:${index + 1}: ${columns} columns, where ${MAX_COLUMNS} are allowed.`];
}

/** @param {string} file @param {number} index @param {string} prose */
function wordProblems(file, index, prose) {
  const words = prose.match(banned) ?? [];
  return words.map((word) => `${file}:${index + 1}: say '${word}' in other words.`);
}

/** Sentences whose subject a reader has to guess. @param {string} file @param {number} index @param {string} line */
function subjectProblems(file, index, line) {
  const text = line.trim().replace(/^(\/\*\*|\*|\/\/|[-*] |\d+\. |> )\s*/, "");
  return [
    ...(nounless.test(text) ? [`${file}:${index + 1}: say what it is 'of', or begin with the subject.`] : []),
    ...(headless.test(text)
      ? [`${file}:${index + 1}: say 'people who …' or 'a person who …', so that the sentence has a subject.`]
      : []),
  ];
}
