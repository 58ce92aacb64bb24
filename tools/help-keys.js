// Writes the keys of the web client into its help: the end of docs/help/<language>/keyboard.md. The sources
// of web/ bind the keys with `bindKeys`, and the client's own list shows the same. With --check, fails if a
// page is not up to date.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const read = (/** @type {string} */ file) => readFileSync(path.join(root, file), "utf8");

/** The pages, with what comes before the lists and how keys are called. */
const languages = {
  en: {
    start: "## All keys",
    titles: { global: "Everywhere", feed: "On the selected message", other: "In other places" },
    columns: ["keys", "effect"],
    /** @type {Record<string, string>} */
    names: {},
  },
  de: {
    start: "## Alle Tasten",
    titles: { global: "Überall", feed: "Bei der gewählten Nachricht", other: "An anderen Stellen" },
    columns: ["Tasten", "Wirkung"],
    names: { Ctrl: "Strg", Shift: "Umschalt", End: "Ende", Home: "Pos1", PageUp: "Bild↑", PageDown: "Bild↓" },
  },
};
/** @type {Record<string, string>} */
const signs = {
  ...{
    Mod: "Ctrl",
    ArrowDown: "↓",
    ArrowUp: "↑",
    ArrowLeft: "←",
    ArrowRight: "→",
    Escape: "Esc",
    " ": "Space",
  },
};

const bindings = readBindings();
let isStale = false;
for (const [language, texts] of Object.entries(languages)) {
  const file = `docs/help/${language}/keyboard.md`;
  const before = read(file);
  const [introduction = ""] = before.split(texts.start);
  const after = `${introduction}${texts.start}\n${listsOf(language, texts)}`;
  if (after === before) continue;
  if (process.argv.includes("--check")) isStale = true;
  else writeFileSync(path.join(root, file), after);
}
if (isStale) {
  console.error("The help on keys is not up to date. Run `node tools/help-keys.js`.");
  process.exitCode = 1;
}

/** Each key and label that a source binds, in the order of the sources. */
function readBindings() {
  const files = readdirSync(path.join(root, "web"), { recursive: true, encoding: "utf8" })
    .map((name) => `web/${name.split(path.sep).join("/")}`)
    .filter((name) => /\.tsx?$/.test(name) && read(name).includes("bindKeys("))
    .sort((a, b) => groupOf(a).localeCompare(groupOf(b)) || a.localeCompare(b));
  const found = files.flatMap((file) =>
    [...read(file).matchAll(/\bkeys:\s*\[([^\]]*)\],\s*label:\s*"([\w.]+)"/g)].map(
      ([, keys = "", label = ""]) => ({
        group: groupOf(file),
        label,
        keys: [...keys.matchAll(/"((?:[^"\\]|\\.)+)"/g)].map(([, key = ""]) => key),
      }),
    ),
  );
  return found.filter((key, at) => found.findIndex((each) => isSame(each, key)) === at);
}

/** @param {{ label: string, keys: string[] }} a @param {{ label: string, keys: string[] }} b */
function isSame(a, b) {
  return a.label === b.label && a.keys.join() === b.keys.join();
}

/** @param {string} file @returns {"feed" | "global" | "other"} */
function groupOf(file) {
  if (file.startsWith("web/shell/")) return "global";
  return file.startsWith("web/feed/") ? "feed" : "other";
}

/** @param {string} language @param {typeof languages["en"]} texts */
function listsOf(language, { titles, columns, names }) {
  const texts = (/** @type {string} */ folder) => JSON.parse(read(`web/i18n/${folder}${language}.json`));
  const catalogue = { ...texts(""), ...texts("more/") };
  const groups = /** @type {const} */ (["global", "feed", "other"]);
  return groups
    .map((group) => ({ group, rows: bindings.filter((binding) => binding.group === group) }))
    .filter(({ rows }) => rows.length > 0)
    .map(({ group, rows }) => {
      const lines = rows.map(({ keys, label }) => {
        const shown = keys.map((key) => `\`${nameOf(key, names)}\``).join(" ");
        return `| ${shown} | ${catalogue[label] ?? label} |`;
      });
      const table = [`| ${columns.join(" | ")} |`, "| --- | --- |", ...lines].join("\n");
      return `\n### ${titles[group]}\n\n${table}\n`;
    })
    .join("");
}

/** `Shift+I`, `Ctrl+K`, `↓`. @param {string} key @param {Record<string, string>} names */
function nameOf(key, names) {
  if (key === "+") return key;
  const parts = key.split("+").map((part) => {
    const name = signs[part] ?? (part.length === 1 ? part.toUpperCase() : part);
    return names[name] ?? name;
  });
  return parts.join("+");
}
