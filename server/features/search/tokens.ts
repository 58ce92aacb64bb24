/**
 * Text as a search sees it. A word is a run of letters and digits, whatever stands between; accents and case don't count.
 * Scripts that put no spaces between words are taken in pairs of neighbours, so that any part of a run is found as the
 * pairs in it, one after the other. Messages and queries go through the same mill, so they meet.
 */

/** A word where it stands in a text. */
export interface Token {
  start: number;
  end: number;
  /** Without accents and capitals. */
  text: string;
  /** Whether it is a run in a script without spaces. */
  isRun: boolean;
}

const UNSPACED =
  "\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Hangul}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}ー";
const WORD = new RegExp(`([${UNSPACED}]+)|(?:(?![${UNSPACED}])[\\p{L}\\p{N}\\p{M}])+`, "gu");
const ACCENTS = /[\u0300-\u036f]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what ASCII is.
const ASCII = /^[\x00-\x7f]*$/;

export function tokensIn(text: string, offset = 0): Token[] {
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

/** What stands for a word in the index: itself, or of a run its pairs and at the end its last character. */
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

/** A part of a word finds the word from this length on; shorter ones are in nearly everything. */
export const MIN_PART = 4;
const MAX_WHOLE = 40;

/** Whether parts of a word are to find it. Longer ones are digests and the like, of which there is no end. */
export function isFoundByPart({ text, isRun }: Pick<Token, "text" | "isRun">): boolean {
  return !isRun && text.length > MIN_PART && text.length <= MAX_WHOLE;
}
