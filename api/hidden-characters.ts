import { FORMAT_CHARACTERS } from "./format-characters.ts";

/**
 * Format characters (category Cf) in names. They can't be seen, so two names with and without them look
 * alike. Some change the order in which the rest is shown.
 */

/** Scripts in which a joiner decides how its neighbours are written. */
const JOINING = [
  ...["Arabic", "Syriac", "Mandaic", "Mongolian", "Phags_Pa", "Nko", "Devanagari", "Bengali", "Gurmukhi"],
  ...[
    "Gujarati",
    "Oriya",
    "Tamil",
    "Telugu",
    "Kannada",
    "Malayalam",
    "Sinhala",
    "Khmer",
    "Myanmar",
    "Tibetan",
  ],
];
const scripts = JOINING.map((name) => `\\p{scx=${name}}`).join("");
const letter = {
  before: `(?<=[${scripts}](?<=[\\p{L}\\p{M}]))`,
  after: `(?=(?=[\\p{L}\\p{M}])[${scripts}])`,
};
const pictures = "\\p{Extended_Pictographic}";
const tags = "[\\u{E0020}-\\u{E007E}]";

/** Where a character is needed: a joiner between such letters or in an emoji, and the tags of a flag. */
const needed = [
  `${letter.before}[\\u200C\\u200D\\u180E]${letter.after}`,
  `(?<=[${pictures}\\p{Emoji_Modifier}\\uFE0F])\\u200D(?=${pictures})`,
  `(?<=\\u{1F3F4}${tags}{0,6})${tags}(?=${tags}{0,6}\\u{E007F})`,
  `(?<=\\u{1F3F4}${tags}{1,6})\\u{E007F}`,
];
const hidden = `(?!${needed.join("|")})(?:[${FORMAT_CHARACTERS}]|[\\u{E0020}-\\u{E007F}])`;
/**
 * Where one of the other characters is needed that are not seen by themselves: a variation of a picture, of a
 * key, of a character of Han or of a letter that has some, a filler in a syllable, and what holds two marks
 * apart.
 */
const neededInName = [
  `(?<=[${pictures}\\p{Emoji_Presentation}])[\\uFE0E\\uFE0F]`,
  "(?<=[0-9#*])\\uFE0F(?=\\u20E3)",
  "(?<=\\p{Script=Han})[\\uFE00-\\uFE0F\\u{E0100}-\\u{E01EF}]",
  "(?<=[\\p{Script=Myanmar}\\p{Script=Phags_Pa}])\\uFE00",
  "(?<=\\p{Script=Mongolian})[\\u180B-\\u180D\\u180F]",
  "\\u115F(?=[\\u1160-\\u11A7])|(?<=[\\u1100-\\u115F])\\u1160",
  "(?<=\\p{M})\\u034F(?=\\p{M})",
];
/** The last one is a picture without a dot. */
const unseen = `(?!${neededInName.join("|")})(?!\\p{Cf})[\\p{Default_Ignorable_Code_Point}\\u2800]`;
const HIDDEN = new RegExp(hidden, "u");
const HIDDEN_IN_NAME = new RegExp(`${hidden}|${unseen}`, "u");
const ALL_HIDDEN = new RegExp(hidden, "gu");
const PLAIN = /^[\x20-\x7e]*$/;
/** Also fills of Hangul, variation selectors and the like, which are not of category Cf. */
const VISIBLE = /[^\s\p{Cf}\p{Default_Ignorable_Code_Point}]/u;

/** The index of the first character that can't be seen and is not needed; -1 if there is none. */
export function findHidden(text: string): number {
  return PLAIN.test(text) ? -1 : text.search(HIDDEN);
}

/**
 * The same for a name that nobody has yet. More characters are refused there than are left out of topics:
 * clients go on sending the names of topics that there are.
 */
export function findHiddenInName(text: string): number {
  return PLAIN.test(text) ? -1 : text.search(HIDDEN_IN_NAME);
}

export function withoutHidden(text: string): string {
  return PLAIN.test(text) ? text : text.replace(ALL_HIDDEN, "");
}

/** Whether a text has anything to see. */
export function isVisible(text: string): boolean {
  return VISIBLE.test(text);
}

/** A name in the form in which names are stored: one form of each accented letter, without spaces around. */
export function normalizeName(text: string): string {
  return PLAIN.test(text) ? text.trim() : text.normalize("NFC").trim();
}
