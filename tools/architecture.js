// Makes docs/architecture.md, the map of subjects in docs/README.md and the owners in .github/CODEOWNERS from
// modules.js. `--check` fails where they are stale.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { modules } from "./modules.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const BEGIN = "<!-- Made by tools/architecture.js -->";
const END = "<!-- End of what is made -->";

const made = new Map([
  ["docs/architecture.md", architecturePage()],
  ["docs/README.md", replaceMade(read("docs/README.md"), subjectTable())],
  [".github/CODEOWNERS", ownersFile()],
]);
const stale = [...made].filter(([file, text]) => !existsSync(path.join(root, file)) || read(file) !== text);
if (!process.argv.includes("--check")) {
  for (const [file, text] of stale) writeFileSync(path.join(root, file), text);
} else if (stale.length > 0) {
  console.error(`Stale: ${stale.map(([file]) => file).join(", ")}. Run node tools/architecture.js`);
  process.exitCode = 1;
}

/** A team for each module, by which the host of the repository asks for reviews. */
function ownersFile() {
  /** @type {[string, string][]} */
  const owners = [
    ["*", "maintainers"],
    ["/api/", "api"],
    ["/client/", "web"],
    ["/web/", "web"],
    ["/markdown/", "content"],
    ["/server/platform/", "platform"],
    ["/server/process/", "platform"],
    ...modules.map(({ name }) => /** @type {[string, string]} */ ([`/server/${name}/`, name])),
  ];
  const lines = owners.map(([place, team]) => `${place.padEnd(26)}@parley/${team}`);
  return `# Who is asked for a review; the last line that fits decides. Made by tools/architecture.js.\n${lines.join("\n")}\n`;
}

function architecturePage() {
  return `# The modules of the server

${BEGIN}

\`server/\` has ${modules.length} modules, and each subject has one owner. A module is a folder with features. Others
import only the files of its public interface, and only modules above it do. \`tools/modules.js\` is the table,
and \`node tools/check-imports.js\` refuses what it refuses. [The map](README.md#where-a-subject-lives) says
where a subject lives, and [a decision](decisions/0047-modules.md) why it is so.

Below all modules is \`server/platform/\`, which knows no subject. Above them are \`server/modules.ts\` and
\`server/app.ts\`, which put them together, and \`server/process/\`.

## From the top to the bottom

${modules
  .toReversed()
  .map((module) => describe(module))
  .join("\n\n")}

## Who imports whom

A dot says that the module of a row imports from that of a column. Imports of types count, tests do not.
Nothing is right of the diagonal.

${matrix()}

${END}
`;
}

/** @param {import("./modules.js").Module} module */
function describe({ name, says, features }) {
  const folders = Object.keys(features).filter((feature) => feature !== "");
  const lines = [`### ${name}`, "", `\`server/${name}/\`: ${says}.`];
  if (folders.length > 0)
    lines.push(...wrap(`Folders: ${folders.map((folder) => `\`${folder}\``).join(", ")}.`));
  return lines.join("\n");
}

/** Lines of at most 110 columns. @param {string} text */
function wrap(text) {
  return text.match(/.{1,108}(\s|$)/g)?.map((line) => line.trimEnd()) ?? [];
}

function matrix() {
  const names = modules.map(({ name }) => name);
  const imports = importsBetween(names);
  const rows = names.map((row, at) => {
    const cells = names.map((column, index) =>
      index === at ? "×" : imports.has(`${row} ${column}`) ? "●" : "",
    );
    return `| ${row} | ${cells.join(" | ")} |`;
  });
  return [`| | ${names.join(" | ")} |`, `| --- |${" :-: |".repeat(names.length)}`, ...rows].join("\n");
}

/** @param {readonly string[]} names */
function importsBetween(names) {
  /** @type {Set<string>} */
  const found = new Set();
  for (const name of names) {
    for (const file of readdirSync(path.join(root, "server", name), { recursive: true, encoding: "utf8" })) {
      if (!file.endsWith(".ts") || file.endsWith(".test.ts")) continue;
      const from = path.posix.join("server", name, file.split(path.sep).join("/"));
      for (const [, target = ""] of read(from).matchAll(/\bfrom "(\.[^"]+)"/g)) {
        const [top, other = ""] = path.posix.join(path.posix.dirname(from), target).split("/");
        if (top !== "server" || other === name || !names.includes(other)) continue;
        found.add(`${name} ${other}`);
      }
    }
  }
  return found;
}

function subjectTable() {
  const rows = modules.flatMap(({ name, features }) =>
    Object.entries(features)
      .filter(([, { page }]) => page !== undefined)
      .map(([folder, feature]) => subjectRow(name, folder, feature)),
  );
  return [
    "| subject | `api/` | `api/events/` | `server/` | `client/model/` | page |",
    "| --- | --- | --- | --- | --- | --- |",
    ...rows,
  ].join("\n");
}

/** @param {string} module @param {string} folder @param {import("./modules.js").Feature} feature */
function subjectRow(
  module,
  folder,
  { subject, api = [folder], events = folder, client = folder, server, page },
) {
  const files = (/** @type {string} */ top, /** @type {readonly string[]} */ names) =>
    names
      .filter((name) => name !== "" && existsSync(path.join(root, top, `${name}.ts`)))
      .map((name) => `\`${top}/${name}.ts\``)
      .join(", ") || "–";
  const folders = (server ?? [folder === "" ? module : `${module}/${folder}`]).map(
    (one) => `\`server/${one}/\``,
  );
  const cells = [
    subject ?? folder.replaceAll("-", " "),
    files(`api/${module}`, api),
    files("api/events", [events]),
    folders.join(", "),
    files("client/model", [client]),
    `[${page?.replace(/\.md.*/, "").replaceAll("-", " ")}](${page})`,
  ];
  return `| ${cells.join(" | ")} |`;
}

/** @param {string} text @param {string} made */
function replaceMade(text, made) {
  const [before, after] = [text.indexOf(BEGIN), text.indexOf(END)];
  if (before < 0 || after < 0) throw new Error("docs/README.md has no place for the map.");
  return `${text.slice(0, before)}${BEGIN}\n\n${made}\n\n${text.slice(after)}`;
}

/** @param {string} file */
function read(file) {
  return readFileSync(path.join(root, file), "utf8");
}
