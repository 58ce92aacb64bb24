import { EMOJI_TABLE } from "./emoji-data.ts";

interface Emoji {
  codeByName: ReadonlyMap<string, string>;
  nameByCode: ReadonlyMap<string, string>;
}

let known: Emoji | undefined;

/** Made when first asked for: most commands never ask. */
function emoji(): Emoji {
  known ??= readTable();
  return known;
}

function readTable(): Emoji {
  const codeByName = new Map<string, string>();
  const nameByCode = new Map<string, string>();
  for (const line of EMOJI_TABLE.trim().split("\n")) {
    if (line.startsWith("#")) continue;
    const [code = "", ...names] = line.split(" ").map(withOwnCharacters);
    nameByCode.set(code, names[0] ?? "");
    for (const name of names) codeByName.set(name, code);
  }
  return { codeByName, nameByCode };
}

/**
 * The same text, not as a piece of the table. Some names are not Latin, so V8 keeps the table with two bytes
 * a character, and all pieces of it, and each text that is joined with one. A message with an emoji would
 * take twice as much memory, and its events too.
 */
function withOwnCharacters(text: string): string {
  return String.fromCharCode(...Array.from(text, (character) => character.charCodeAt(0)));
}

/** The code (`1f44d`) of a Unicode emoji's name, aliases included. */
export function emojiCodeByName(name: string): string | undefined {
  return emoji().codeByName.get(name);
}

/** The canonical name of a Unicode emoji's code. */
export function emojiNameByCode(code: string): string | undefined {
  return emoji().nameByCode.get(code);
}

/** All Unicode emoji: category, code and names, canonical first; for pickers and validation. */
export function* listUnicodeEmoji(): Generator<{ category: string; code: string; names: string[] }> {
  let category = "";
  for (const line of EMOJI_TABLE.trim().split("\n")) {
    const [code = "", ...names] = line.split(" ");
    if (code === "#") category = names[0] ?? "";
    else yield { category, code, names };
  }
}

/** The code of an emoji as people type it: its code points in hexadecimal, variation selectors left out. */
export function emojiCodeOf(characters: string): string {
  const parts: string[] = [];
  for (const character of characters) {
    const hex = (character.codePointAt(0) ?? 0).toString(16).padStart(4, "0");
    if (hex !== "fe0f") parts.push(hex);
  }
  return parts.join("-");
}
