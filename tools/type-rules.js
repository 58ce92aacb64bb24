// Nothing is cast to fit anywhere, and a test names the error that it expects.
import { codeOf, wordProblems } from "./source-files.js";

/** @typedef {import("./source-files.js").Sources} Sources */

/** @param {Sources} sources @param {Sources} tests @returns {string[]} a sentence for each place */
export function typeProblems(sources, tests) {
  return [
    ...["server/", "client/", "web/", "cli/"].flatMap((folder) =>
      wordProblems(
        sources,
        folder,
        / as never\b/,
        "what goes out is typed by its declaration, without a cast",
      ),
    ),
    ...testProblems(
      tests,
      / as never\b/,
      "give the value its type, such as harness.channelId(name) for an id",
    ),
    ...testProblems(
      tests,
      /(?<!\.not)\.toThrow(Error)?\(\)/,
      "any error would do, so name the one that is meant",
    ),
  ];
}

/** @param {Sources} tests @param {RegExp} pattern @param {string} advice */
function testProblems(tests, pattern, advice) {
  return [...tests].flatMap(([file, text]) => {
    const lines = text.split("\n").map((line, index) => ({ line: codeOf(line), at: `${file}:${index + 1}` }));
    return lines
      .filter(({ line }) => pattern.test(line))
      .map(({ line, at }) => `${at}: ${advice} (${pattern.exec(line)?.[0].trim()}).`);
  });
}
