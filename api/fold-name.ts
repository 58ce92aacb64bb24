import { FORMAT_CHARACTERS } from "./format-characters.ts";

const PLAIN = /^[\x20-\x7e]*$/;
const FORMAT = new RegExp(`[${FORMAT_CHARACTERS}]`, "gu");
/** Another spelling of two letters, of the sigma inside of a word, and of an i. */
const OTHER_SPELLING = /ß|ς|i\u0307/g;
const SPELLING = new Map([
  ["ß", "ss"],
  ["ς", "σ"],
  ["i\u0307", "i"],
]);

/**
 * Equal for names of the same channel, group or topic. Names are compared in small letters, in one form of
 * each accented letter, and without characters that can't be seen. `fold_name` of the database does the same,
 * and decides in the end. A database other than the embedded one may compare a few names differently, by its
 * locale. Any database may know a newer or older Unicode than the caller.
 */
export function foldName(name: string): string {
  if (PLAIN.test(name)) return name.toLowerCase();
  return (
    name
      .normalize("NFC")
      .replace(FORMAT, "")
      // JavaScript would make two characters of it.
      .replaceAll("İ", "i")
      .toLowerCase()
      .replace(OTHER_SPELLING, (letter) => SPELLING.get(letter) as string)
      .normalize("NFC")
  );
}
