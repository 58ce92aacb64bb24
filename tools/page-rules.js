// The server's own pages are declared: their addresses, hosts, sessions and whose requests they take.

/** @typedef {import("./source-files.js").Sources} Sources */

/** @param {Sources} sources @returns {string[]} a sentence for each thing that is done by hand or left out */
export function pageProblems(sources) {
  return [...addressProblems(sources), ...formProblems(sources)];
}

/**
 * Only server/platform/http/ registers addresses, finds the host of a page and compares origins. The
 * composition root holds the framework and gives it the function that finds a session.
 * @param {Sources} sources
 */
function addressProblems(sources) {
  const raw =
    /\.(?:get|post|put|patch|delete|head|options|all)(?:<[^()]*>)?\(\s*(?:["']\/|`(?:\/|\$\{))|\.route(?:<[^()]*>)?\(\s*\{/;
  const byHand = /(?<!function )\b(?:isFromOwnPage|findRequester)\(|\bnew Hosts\(/;
  return [...sources.keys()]
    .filter((file) => file.startsWith("server/") && !file.startsWith("server/platform/http/"))
    .flatMap((file) => [
      ...firstIn(
        sources,
        file,
        raw,
        "declare an address by page() or publicFile(), and list it in the module's parts.ts",
      ),
      ...(file === "server/app.ts"
        ? []
        : [
            ...firstIn(
              sources,
              file,
              /\bFastifyInstance\b/,
              "only server/platform/http/ registers addresses",
            ),
            ...firstIn(
              sources,
              file,
              byHand,
              "the declaration of a page finds its host and its session, and checks the origin",
            ),
          ]),
    ]);
}

/**
 * The problem of a file that has these words.
 * @param {Sources} sources
 * @param {string} file
 * @param {RegExp} pattern
 * @param {string} advice
 */
function firstIn(sources, file, pattern, advice) {
  const words = pattern.exec(sources.get(file) ?? "")?.[0];
  return words === undefined ? [] : [`${file}: ${advice} (${words}).`];
}

/** A form that another site may send must say so. @param {Sources} sources */
function formProblems(sources) {
  return [...sources].flatMap(([file, text]) =>
    [...text.matchAll(/\bpage\(\s*\{([^}]*\bmethod: "POST"[^}]*)/g)]
      .filter(([, declared]) => !/\borigin\b/.test(declared ?? ""))
      .map(([, declared]) => {
        const place = /path: ["'`]([^"'`]*)/.exec(declared ?? "")?.[1] ?? "a path";
        return `${file}: POST ${place} does not say whose requests it takes: give it the origin "own page", unless it must be sent from elsewhere.`;
      }),
  );
}
