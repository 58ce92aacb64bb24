// What a test asks PostgreSQL about sessions and locks names the test's database, or one session. The tests
// of all workers run on one server.

/** @typedef {import("./source-files.js").Sources} Sources */

/** Texts in quotes. Comments are matched as well, because quotes in them begin no text. */
const texts = /\/\*[\s\S]*?\*\/|\/\/.*|`(?:[^`\\]|\\[\s\S])*`|"(?:[^"\\\n]|\\.)*"/g;

/** @param {Sources} tests @returns {string[]} a sentence for each place */
export function sharedServerProblems(tests) {
  return [...tests].flatMap(([file, text]) =>
    [...text.matchAll(texts)]
      .filter(([found]) => !found.startsWith("/") && isOfWholeServer(found))
      .map(({ index }) => {
        const line = text.slice(0, index).split("\n").length;
        return `${file}:${line}: other files' sessions are listed, too, so name current_database() or the pid.`;
      }),
  );
}

/** @param {string} statement */
function isOfWholeServer(statement) {
  const asks = /\bpg_(locks|stat_activity)\b/.test(statement) && /\bfrom\b/.test(statement);
  return asks && !/\bcurrent_database\(\)|\bpid = /.test(statement);
}
