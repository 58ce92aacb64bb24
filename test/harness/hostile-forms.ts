/** Forms of a megabyte, with the boundary X, that are expensive for a careless parser. */

export const MEGABYTE = 1024 * 1024;

export const fill = (unit: string, length = MEGABYTE) =>
  unit.repeat(Math.ceil(length / unit.length)).slice(0, length);

const disposition = (parameters: string) =>
  `--X\r\nContent-Disposition: form-data; ${parameters}\r\n\r\nv\r\n`;
export const parts = (part: string) => `${part.repeat(Math.floor((MEGABYTE - 10) / part.length))}--X--\r\n`;
const LONG = 8100;

export const hostileForms: readonly (readonly [what: string, form: string])[] = [
  ["letters without a value", parts(disposition(`name=a; ${"a".repeat(LONG)}`))],
  ["blanks", parts(disposition(`name=a; ${" ".repeat(LONG)}x`))],
  [
    "tabs around an equals sign",
    parts(disposition(`name=a; b${"\t".repeat(LONG / 2)}=${"\t".repeat(LONG / 2)};`)),
  ],
  ["opening quotes", parts(disposition(`name=a; ${'b="'.repeat(LONG / 3)}`))],
  ["backslashes in a quote without an end", parts(disposition(`name="${"\\".repeat(LONG)}`))],
  ["escaped quotes", parts(disposition(`name="${'\\"'.repeat(LONG / 2)}`))],
  ["semicolons", parts(disposition(`name=a${";".repeat(LONG)}`))],
  ["equals signs", parts(disposition(`name=a; ${"=".repeat(LONG)}`))],
  ["short parameters", parts(disposition("a=b;".repeat(LONG / 4)))],
  ["many dispositions", parts(`--X\r\n${"Content-Disposition: form-data\r\n".repeat(250)}\r\nv\r\n`)],
  ["blanks before the kind", parts(`--X\r\nContent-Disposition:${" ".repeat(LONG)}x\r\n\r\nv\r\n`)],
  ["line breaks in the headers", parts(`--X\r\n${"\n".repeat(LONG)}\r\n\r\nv\r\n`)],
  ["empty parts", fill("--X\r\n\r\n\r\n")],
  ["parts without headers", fill("--X\r\n")],
  ["boundaries without an end", fill("\r\n--X")],
  ["dashes", fill("-")],
  ["line breaks", fill("\r\n")],
  ["blanks after the boundary", `--X${fill(" ")}\r\n`],
  ["one name with many escapes", `${disposition(`name="${"%22".repeat(300)}"`).repeat(900)}--X--`],
];
