/** Languages that nobody speaks. They show what was not translated, and what breaks with other languages. */
import { type Part, parse } from "./format.ts";

const accents: Readonly<Record<string, string>> = { a: "á", e: "ë", i: "ï", o: "ö", u: "ü" };
const latin = "abcdefghijklmnopqrstuvwxyz";
const arabic = [..."ابكدهفجحيژقلمنوپثرسطعتوخيز"];

/** As long as long languages are. */
export function pseudo(text: string): string {
  const letters = change(parse(text), (words) =>
    words.replace(/[aeiou]/g, (letter) => accents[letter] ?? ""),
  );
  return `[${letters} ${"~".repeat(Math.ceil(text.length / 3))}]`;
}

/** Its letters are written from the right. */
export function pseudoFromRight(text: string): string {
  const write = (words: string) =>
    words.replace(/[a-z]/gi, (letter) => arabic[latin.indexOf(letter.toLowerCase())] ?? "");
  return `[${change(parse(text), write)} ~]`;
}

/** The same text with other words. */
function change(parts: readonly Part[], write: (words: string) => string): string {
  return parts
    .map((part) => {
      if (typeof part === "string") return write(part).replace(/'/g, "''").replace(/[{}]/g, "'$&'");
      const [name, kind, branches] = part;
      if (!branches) return name.startsWith("#") ? name : `{${name}}`;
      const forms = Object.entries(branches).map(([key, inner]) => `${key} {${change(inner, write)}}`);
      return `{${name}, ${kind}, ${forms.join(" ")}}`;
    })
    .join("");
}
