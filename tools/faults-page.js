// The words of docs/faults.md and of the table of exit codes, as texts.

/** @typedef {{ number: string, exit: number, what: string, remedy: string }} Fault */

const COLUMNS = 110;
const START = "<!-- Made by tools/faults.js -->";
const END = "<!-- End of what is made -->";

const INTRODUCTION = `# Faults

Made by \`node tools/faults.js\` from the catalogue in \`server/platform/faults/\` and the sentences in the
sources.

A sentence that a command prints ends with the number of its fault, such as (P216). So do the lines of
\`parley doctor\` with ✗ or !, and a line of the log about a part of the server has it as \`fault\`. Search this
page for the number, or for words of the sentence: \`…\` stands for what differs. \`parley help P216\` prints
the same on the machine. [Running Parley](running.md#exit-codes) has the exit codes.
`;

/**
 * @param {Record<string, Fault>} faults
 * @param {Map<string, string[]>} sentences
 * @param {Record<string, string>} codes the fault of each code of a part of the server
 */
export function faultsPage(faults, sentences, codes) {
  const sections = Object.entries(faults).map(([name, { number, exit, what, remedy }]) => {
    const own = Object.keys(codes).filter((code) => codes[code] === name);
    const printed = sentences.get(name) ?? [];
    return [
      `## ${number}`,
      wrap(`**${name}**, exit code ${exit}${own.length > 0 ? `, in the log as ${listed(own)}` : ""}`),
      wrap(what),
      wrap(`**What to do:** ${remedy}`),
      ...(printed.length > 0 ? [`\`\`\`text\n${printed.join("\n")}\n\`\`\``] : []),
    ].join("\n\n");
  });
  return `${[INTRODUCTION.trimEnd(), ...sections].join("\n\n")}\n`;
}

/**
 * @param {string} source has the exit codes, with a comment above each
 * @param {Record<string, Fault>} faults
 */
export function exitCodeTable(source, faults) {
  const rows = [...source.matchAll(/\/\*\* (.+) \*\/\n\s+\w+: (\d+),/g)].map(([, meaning, code]) => {
    const numbers = Object.values(faults)
      .filter(({ exit, number }) => String(exit) === code && Number(code) > 1 && number !== "")
      .map(({ number }) => `[${number}](faults.md#${number.toLowerCase()})`);
    return `| ${code} | ${meaning} | ${numbers.join(" ")} |`;
  });
  return ["| code | | faults |", "| --- | --- | --- |", ...rows].join("\n");
}

/** The page with another table between the marks. @param {string} page @param {string} table */
export function withTable(page, table) {
  const [before, rest] = [page.indexOf(START), page.indexOf(END)];
  if (before < 0 || rest < before) throw new Error(`The page has no place for the table: ${START} … ${END}`);
  return `${page.slice(0, before)}${START}\n\n${table}\n\n${page.slice(rest)}`;
}

/** @param {string[]} names */
function listed(names) {
  return names.map((name) => `\`${name}\``).join(", ");
}

/** Lines of a paragraph. @param {string} text */
function wrap(text) {
  const lines = [""];
  for (const word of text.split(" ")) {
    const line = lines.at(-1) ?? "";
    if (line !== "" && [...line].length + 1 + [...word].length > COLUMNS) lines.push(word);
    else lines[lines.length - 1] = line === "" ? word : `${line} ${word}`;
  }
  return lines.join("\n");
}
