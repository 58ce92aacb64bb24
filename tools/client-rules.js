// The web client reads limits from the contract, and its functions end on the next screen at the latest.
import { longFunctions, MAX_LINES } from "./long-functions.js";

/** @typedef {import("./source-files.js").Sources} Sources */

/** @param {Sources} sources @returns {string[]} a sentence for each own limit and each long function */
export function clientProblems(sources) {
  return [...limitProblems(sources), ...lengthProblems(sources)];
}

/**
 * How long texts may be, and how many things there may be, is in one place, which the server reads too.
 * @param {Sources} sources
 */
function limitProblems(sources) {
  const advice = "a limit that the server has is read from api/limits.ts";
  const limits = new Set(declaredIn(sources, "api/limits.ts"));
  return [...sources].flatMap(([file, text]) => {
    if (!file.startsWith("web/")) return [];
    const own = declaredIn(sources, file);
    const asLiteral =
      text.match(/\b(?:data-max|max[lL]ength)(?:=\{|: )\d[\d_]*|\bmaxlength=|\bmax_\w+ \?\? \d[\d_]*/g) ?? [];
    const asOwn = [...text.matchAll(/\b(?:data-max|maxLength)(?:=\{|: )([A-Z][A-Z\d_]*)\b/g)].flatMap(
      ([, name = ""]) => (own.includes(name) ? [name] : []),
    );
    const again = own.filter((name) => limits.has(name));
    return [...asLiteral, ...asOwn, ...again].map((found) => `${file}: ${advice} (${found}).`);
  });
}

/** The constants of a file, by name. @param {Sources} sources @param {string} file */
function declaredIn(sources, file) {
  const found = (sources.get(file) ?? "").matchAll(/^(?:export )?const ([A-Z][A-Z\d_]*) =/gm);
  return [...found].map(([, name = ""]) => name);
}

/** @param {Sources} sources */
function lengthProblems(sources) {
  return [...sources]
    .filter(([file]) => file.startsWith("web/"))
    .flatMap(([file, text]) =>
      longFunctions(file, text).map(
        ({ name, line, lines }) =>
          `${file}:${line}: ${name} has ${lines} lines, where ${MAX_LINES} are allowed. Give what it holds beside ` +
          "its subject a place of its own. If it is one piece, a comment above it says why, after LONG:",
      ),
    );
}
