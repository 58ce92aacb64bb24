/**
 * Pair terms: for each two neighbouring words of a message, a term that no word can be. A phrase of frequent
 * words is in few messages, and so are its pairs. A term is a short digest, so their number is bounded and
 * two pairs may share one. So a message that has the pairs of a phrase is still checked for the phrase.
 */
const DIGITS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_-";
const BITS = 16;

/** The terms of a text, or of a phrase, given as the forms of its words in order. */
export function pairTerms(forms: readonly string[]): string[] {
  const terms = new Set<string>();
  for (let index = 1; index < forms.length; index++) {
    terms.add(pairTerm(forms[index - 1] as string, forms[index] as string));
  }
  return [...terms];
}

function pairTerm(first: string, second: string): string {
  const digest = digestOf(`${first} ${second}`);
  const digits = [digest >>> 12, digest >>> 6, digest].map((bits) => DIGITS[bits & 63]);
  return `=${digits.join("")}`;
}

/** FNV-1a over UTF-16 units, folded to 16 bits. */
function digestOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return ((hash >>> BITS) ^ hash) & (2 ** BITS - 1);
}
