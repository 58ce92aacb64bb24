import { findFault } from "../server/platform/faults/catalogue.ts";

const COLUMNS = 100;

/** Whether somebody asks for a fault by its number. */
export function isFaultNumber(word: string): boolean {
  return /^p\d+$/i.test(word);
}

/** What `parley help` prints about the fault with this number. undefined: there is none. */
export function faultHelp(number: string): string | undefined {
  const found = findFault(number);
  if (!found) return undefined;
  const [name, { number: written, exit, what, remedy }] = found;
  return [
    `${written}  ${name}, exit code ${exit}`,
    wrapped(`What it is: ${plain(what)}`),
    wrapped(`What to do: ${plain(remedy)}`),
    "docs/faults.md has the sentences.\n",
  ].join("\n\n");
}

/** Without the marks of Markdown. A link to a page of the documentation becomes the page. */
function plain(text: string): string {
  return text.replace(/\[[^\]]*\]\(([^)#]*)(#[^)]*)?\)/g, "docs/$1").replaceAll("`", "");
}

function wrapped(text: string): string {
  const lines = [""];
  for (const word of text.split(" ")) {
    const line = lines.at(-1) ?? "";
    if (line !== "" && line.length + 1 + word.length > COLUMNS) lines.push(word);
    else lines[lines.length - 1] = line === "" ? word : `${line} ${word}`;
  }
  return lines.join("\n");
}
