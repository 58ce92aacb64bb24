// Prints each place that breaks a rule of source-rules.js, and fails if there is one. An endpoint is handled
// in the folder that its declaration suggests. An event is appended in one place. SQL is in stores. Nothing
// is cast to fit anywhere, and a test names the error that it expects. Addresses are declared. Functions name
// the services that they use. The client reads limits from the contract, and its functions end on the next
// screen at the latest. A root in the first argument takes the place of this checkout.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { longFunctions, MAX_LINES } from "./long-functions.js";
import { modules } from "./modules.js";
import { handlersOf, sqlOutsideStores } from "./source-rules.js";
import { wholeServicesProblems } from "./whole-services.js";

const root = process.argv[2] ?? fileURLToPath(new URL("..", import.meta.url));
const all = readFiles(["api", "bench", "client", "cli", "markdown", "server", "test", "tools", "web"]);
const sources = new Map([...all].filter(([file]) => isSource(file)));
const tests = new Map([...all].filter(([file]) => isOfTests(file)));
const problems = [
  ...endpointProblems(),
  ...eventProblems(),
  ...sqlProblems(),
  ...addressProblems(),
  ...formProblems(),
  ...["server/", "client/", "web/", "cli/"].flatMap((folder) =>
    wordProblems(/ as never\b/, folder, "what goes out is typed by its declaration, without a cast"),
  ),
  ...testProblems(/ as never\b/, "give the value its type, such as harness.channelId(name) for an id"),
  ...testProblems(/(?<!\.not)\.toThrow(Error)?\(\)/, "any error would do, so name the one that is meant"),
  ...wholeServicesProblems(sources),
  ...wordProblems(
    /advisory\w*lock\w*\(\s*\d/,
    "server/",
    "the classes of locks are in server/platform/db/locks.ts",
  ),
  ...limitProblems(),
  ...lengthProblems(),
];
for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;

/** `api/MODULE/X.ts` is handled in `server/MODULE/X/`, or where `handlersOf` says. */
function endpointProblems() {
  return declarations(/^api\/((?:[\w-]+\/)?[\w-]+)\.ts$/, "endpoint").flatMap(({ name, subject }) => {
    const folder = `server/${handlersOf[name] ?? handlersOf[subject] ?? subject}/`;
    const places = filesWith(new RegExp(`\\broute\\(\\s*(?:\\w+\\.)?${name}(Endpoint)?,`));
    const isThere = places.length === 1 && places[0]?.startsWith(folder);
    return isThere
      ? []
      : [`api/${subject}.ts: ${name} should have its handler in ${folder}, not in ${places}.`];
  });
}

function eventProblems() {
  return declarations(/^api\/events\/([\w-]+)\.ts$/, "event").flatMap(({ name, subject }) => {
    const pattern = new RegExp(`\\.append\\(\\s*${name}\\b`, "g");
    const places = filesWith(pattern).flatMap((file) =>
      [...(sources.get(file) ?? "").matchAll(pattern)].map(() => file),
    );
    return places.length <= 1
      ? []
      : [`api/events/${subject}.ts: ${name} is appended in several places: ${places}.`];
  });
}

function sqlProblems() {
  const allowed = Object.keys(sqlOutsideStores);
  return filesWith(/\bsql`/)
    .filter((file) => isOfModule(file) && !/(\/|-)store\.ts$/.test(file))
    .filter((file) => !allowed.some((place) => file.startsWith(place)))
    .map((file) => `${file}: SQL belongs in the store of the table's owner.`);
}

/**
 * Only server/platform/http/ registers addresses, finds the host of a page and compares origins. The
 * composition root holds the framework and gives it the function that finds a session.
 */
function addressProblems() {
  const raw =
    /\.(?:get|post|put|patch|delete|head|options|all)(?:<[^()]*>)?\(\s*(?:["']\/|`(?:\/|\$\{))|\.route(?:<[^()]*>)?\(\s*\{/;
  const byHand = /(?<!function )\b(?:isFromOwnPage|findRequester)\(|\bnew Hosts\(/;
  return [...sources.keys()]
    .filter((file) => file.startsWith("server/") && !file.startsWith("server/platform/http/"))
    .flatMap((file) => [
      ...firstIn(
        file,
        raw,
        "declare an address by page() or publicFile(), and list it in the module's parts.ts",
      ),
      ...(file === "server/app.ts"
        ? []
        : [
            ...firstIn(file, /\bFastifyInstance\b/, "only server/platform/http/ registers addresses"),
            ...firstIn(
              file,
              byHand,
              "the declaration of a page finds its host and its session, and checks the origin",
            ),
          ]),
    ]);
}

/**
 * The problem of a file that has these words.
 * @param {string} file
 * @param {RegExp} pattern
 * @param {string} advice
 */
function firstIn(file, pattern, advice) {
  const words = pattern.exec(sources.get(file) ?? "")?.[0];
  return words === undefined ? [] : [`${file}: ${advice} (${words}).`];
}

/** A form that another site may send must say so. */
function formProblems() {
  return [...sources].flatMap(([file, text]) =>
    [...text.matchAll(/\bpage\(\s*\{([^}]*\bmethod: "POST"[^}]*)/g)]
      .filter(([, declared]) => !/\borigin\b/.test(declared ?? ""))
      .map(([, declared]) => {
        const place = /path: ["'`]([^"'`]*)/.exec(declared ?? "")?.[1] ?? "a path";
        return `${file}: POST ${place} does not say whose requests it takes: give it the origin "own page", unless it must be sent from elsewhere.`;
      }),
  );
}

/** @param {string} file */
function isOfModule(file) {
  return modules.some(({ name }) => file.startsWith(`server/${name}/`));
}

/** How long texts may be, and how many things there may be, is in one place, which the server reads too. */
function limitProblems() {
  const advice = "a limit that the server has is read from api/limits.ts";
  const limits = new Set(declaredIn("api/limits.ts"));
  return [...sources].flatMap(([file, text]) => {
    if (!file.startsWith("web/")) return [];
    const own = declaredIn(file);
    const asLiteral =
      text.match(/\b(?:data-max|max[lL]ength)(?:=\{|: )\d[\d_]*|\bmaxlength=|\bmax_\w+ \?\? \d[\d_]*/g) ?? [];
    const asOwn = [...text.matchAll(/\b(?:data-max|maxLength)(?:=\{|: )([A-Z][A-Z\d_]*)\b/g)].flatMap(
      ([, name = ""]) => (own.includes(name) ? [name] : []),
    );
    const again = own.filter((name) => limits.has(name));
    return [...asLiteral, ...asOwn, ...again].map((found) => `${file}: ${advice} (${found}).`);
  });
}

/** The constants of a file, by name. @param {string} file */
function declaredIn(file) {
  const found = (sources.get(file) ?? "").matchAll(/^(?:export )?const ([A-Z][A-Z\d_]*) =/gm);
  return [...found].map(([, name = ""]) => name);
}

function lengthProblems() {
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

/** @param {RegExp} pattern @param {string} advice */
function testProblems(pattern, advice) {
  return [...tests].flatMap(([file, text]) => {
    const lines = text.split("\n").map((line, index) => ({ line: codeOf(line), at: `${file}:${index + 1}` }));
    return lines
      .filter(({ line }) => pattern.test(line))
      .map(({ line, at }) => `${at}: ${advice} (${pattern.exec(line)?.[0].trim()}).`);
  });
}

/** A text without what is in quotes, such as the title of a test, and without comments at the end of a line.
 * @param {string} text */
function codeOf(text) {
  return text.replace(/"(?:[^"\\\n]|\\.)*"|`[^`\n]*`/g, '""').replace(/(^|\s)(\/\/|\/?\*).*$/gm, "");
}

/** @param {RegExp} pattern @param {string} folder @param {string} advice */
function wordProblems(pattern, folder, advice) {
  return [...sources]
    .filter(([file, text]) => file.startsWith(folder) && pattern.test(codeOf(text)))
    .map(([file, text]) => `${file}: ${advice} (${pattern.exec(codeOf(text))?.[0].trim()}).`);
}

/**
 * The exported declarations of a form, such as `endpoint({…})`, with the subject that their file is named
 * for. @param {RegExp} file @param {string} form
 */
function declarations(file, form) {
  return [...sources].flatMap(([name, text]) => {
    const subject = file.exec(name)?.[1];
    if (subject === undefined) return [];
    const found = text.matchAll(new RegExp(`^export const (\\w+) = ${form}\\(`, "gm"));
    return [...found].map((match) => ({ name: match[1] ?? "", subject }));
  });
}

/** @param {RegExp} pattern */
function filesWith(pattern) {
  return [...sources].filter(([, text]) => text.search(pattern) >= 0).map(([file]) => file);
}

/** @param {string} file */
function isSource(file) {
  return /^(api|client|cli|server|web)\//.test(file) && !isOfTests(file);
}

/** Tests, and what they are made with. @param {string} file */
function isOfTests(file) {
  return file.startsWith("test/") || /\.test\.tsx?$/.test(file);
}

/** Sources by path from the root, with forward slashes. @param {string[]} folders */
function readFiles(folders) {
  /** @type {Map<string, string>} */
  const found = new Map();
  for (const folder of folders.filter((each) => existsSync(path.join(root, each)))) {
    for (const name of readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" })) {
      const file = path.posix.join(folder, name.split(path.sep).join("/"));
      if (/\.tsx?$/.test(file) && !file.includes("node_modules/"))
        found.set(file, readFileSync(path.join(root, file), "utf8"));
    }
  }
  return found;
}
