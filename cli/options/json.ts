/** The option of commands that print something. Fields are named as those of the API. */
export const jsonOption = { description: "Print it as JSON, one object a line, for programs." };

/** Prints a text for people, or with `--json` what it says as a line of JSON. */
export function print(values: { json?: boolean }, text: string, data: object): void {
  process.stdout.write(values.json === true ? `${jsonLine(data)}\n` : text);
}

/** Prints a line for each thing. */
export function printAll<T>(
  values: { json?: boolean },
  things: readonly T[],
  lineOf: (thing: T) => string,
  dataOf: (thing: T) => object,
): void {
  for (const thing of things) print(values, `${lineOf(thing)}\n`, dataOf(thing));
}

/** Escapes control characters that JSON leaves as they are and a terminal would obey. */
export function jsonLine(data: object): string {
  return JSON.stringify(data).replace(
    /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
