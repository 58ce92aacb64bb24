import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { serverVersion } from "../../server/version.ts";
import { type Command, type CommandEntry, command, exitCodes } from "../command.ts";
import { describeOptions } from "../help.ts";

export const man = command({
  usage: ["man DIR"],
  details: `
Writes manual pages for man, one for parley and one for each command, from what the commands say of
themselves. With /usr/local/share/man/man1 as DIR, "man parley-user-list" finds them.`,
  options: {},
  settings: [],
  words: { min: 1, max: 1 },
  async run({ words: [dir = ""], entries = [] }) {
    mkdirSync(dir, { recursive: true });
    writeFileSync(path.join(dir, "parley.1"), programPage(entries));
    for (const entry of entries) {
      writeFileSync(path.join(dir, `${pageName(entry.name)}.1`), commandPage(entry, await entry.load()));
    }
    process.stdout.write(`Wrote ${entries.length + 1} pages to ${dir}.\n`);
    return exitCodes.ok;
  },
});

const pageName = (name: string) => `parley-${name.replace(" ", "-")}`;

/** Text of a page. A line that begins with a dot or an apostrophe would be a request. */
function escaped(text: string): string {
  return text
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replace(/^([.'])/gm, "\\&$1")
    .replace(/[^\n -~]/gu, (character) => `\\[u${codeOf(character)}]`);
}

const codeOf = (character: string) => character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0");

function page(name: string, summary: string, sections: readonly (readonly [string, string])[]): string {
  const version = serverVersion.replace(/^.*parley-/, "");
  return [
    `.TH ${name.toUpperCase()} 1 "" "Parley ${version}" "Parley"`,
    ".SH NAME",
    `${escaped(name)} \\- ${escaped(summary)}`,
    ...sections.flatMap(([title, text]) => [`.SH ${title}`, text]),
    "",
  ].join("\n");
}

const asTyped = (lines: readonly string[]) => [".nf", ...lines.map(escaped), ".fi"].join("\n");
const item = (left: string, right: string) => `.TP\n.B ${escaped(left)}\n${escaped(right)}`;

/** Paragraphs are filled; what is indented stays as it is. */
function paragraphs(text: string): string {
  return text
    .trim()
    .split(/\n{2,}/)
    .map((each) => (/^ {2}/m.test(each) ? asTyped(each.split("\n")) : escaped(each)))
    .join("\n.PP\n");
}

const EXIT_STATUS = [
  item("0", "It did what was asked."),
  item("1", "It could not, and a sentence on standard error says why."),
  item("2", "The call was wrong."),
].join("\n");

function programPage(entries: readonly CommandEntry[]): string {
  return page("parley", "a team-chat server", [
    ["SYNOPSIS", ".B parley\n.I COMMAND\n\\&..."],
    [
      "DESCRIPTION",
      "Runs the server and administers it. Settings come from the environment, and docs/running.md lists them.",
    ],
    ["COMMANDS", entries.map(({ name, summary }) => item(name, summary)).join("\n")],
    ["EXIT STATUS", EXIT_STATUS],
    ["SEE ALSO", entries.map(({ name }) => `.BR ${escaped(pageName(name))} (1)`).join(",\n")],
  ]);
}

function commandPage({ name, summary }: CommandEntry, command: Command): string {
  return page(pageName(name), summary, [
    ["SYNOPSIS", asTyped(command.usage.map((line) => `parley ${line}`))],
    ["DESCRIPTION", paragraphs(command.details)],
    [
      "OPTIONS",
      describeOptions(command)
        .map(({ left, right }) => item(left, right))
        .join("\n"),
    ],
    ["EXIT STATUS", EXIT_STATUS],
    ["SEE ALSO", ".BR parley (1)"],
  ]);
}
