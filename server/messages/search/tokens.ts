/**
 * Splits text into words, as a search sees it. A word is a run of letters and digits; accents and case don't
 * count. Scripts without spaces between words are split into pairs of neighbouring characters. So any part of
 * a run is found as its pairs, one after the other. Messages and queries are split by the same functions, so
 * they match.
 */

/** A word with its place in a text. */
export interface Token {
  start: number;
  end: number;
  /** Without accents and capitals. */
  text: string;
  /** Whether it is a run of a script without spaces. */
  isRun: boolean;
}

const UNSPACED =
  "\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Hangul}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}ー";
const WORD = new RegExp(`([${UNSPACED}]+)|(?:(?![${UNSPACED}])[\\p{L}\\p{N}\\p{M}])+`, "gu");
const ACCENTS = /[\u0300-\u036f]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what ASCII is.
const ASCII = /^[\x00-\x7f]*$/;
/** What WORD finds in ASCII, without a look-up of each character's script, which takes most of the time. */
const ASCII_WORD = /[0-9A-Za-z]+/g;

export function tokensIn(text: string, offset = 0): Token[] {
  return ASCII.test(text) ? asciiTokensIn(text, offset) : anyTokensIn(text, offset);
}

function asciiTokensIn(text: string, offset: number): Token[] {
  const tokens: Token[] = [];
  ASCII_WORD.lastIndex = 0;
  for (let match = ASCII_WORD.exec(text); match !== null; match = ASCII_WORD.exec(text)) {
    const start = offset + match.index;
    const [word] = match;
    tokens.push({ start, end: start + word.length, text: word.toLowerCase(), isRun: false });
  }
  return tokens;
}

function anyTokensIn(text: string, offset: number): Token[] {
  return Array.from(text.matchAll(WORD), (match) => ({
    start: offset + match.index,
    end: offset + match.index + match[0].length,
    text: fold(match[0]),
    isRun: match[1] !== undefined,
  }));
}

function fold(word: string): string {
  if (ASCII.test(word)) return word.toLowerCase();
  return word.normalize("NFKD").replace(ACCENTS, "").normalize("NFKC").toLowerCase();
}

/**
 * The forms of a word in the index: the word itself. For a run: its pairs, and its last character at the end.
 */
export function indexedForms({ text, isRun }: Pick<Token, "text" | "isRun">): string[] {
  if (!isRun) return [text];
  const characters = [...text];
  return characters.map((character, index) => character + (characters[index + 1] ?? ""));
}

/** The groups of three letters in a word. */
export function partsOf(word: string): string[] {
  const characters = [...word];
  const parts = characters.slice(2).map((_, index) => characters.slice(index, index + 3).join(""));
  return [...new Set(parts)];
}

/** From this length on, a part of a word finds the word. Shorter parts are in nearly every word. */
export const MIN_PART = 4;
const MAX_WHOLE = 40;

/**
 * Whether a word can be found by its parts. Very long words are digests and the like, of which there is no
 * end.
 */
export function isFoundByPart({ text, isRun }: Pick<Token, "text" | "isRun">): boolean {
  return !isRun && text.length > MIN_PART && text.length <= MAX_WHOLE;
}
