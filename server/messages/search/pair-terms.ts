/**
 * Pair terms: for each two neighbouring words of a message, a term that no word can be. A phrase of frequent
 * words is in few messages, and so are its pairs. A term is a short digest, so their number is bounded and
 * two pairs may share one. So a message that has the pairs of a phrase is still checked for the phrase.
 */
const DIGITS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_-";
const BITS = 16;

const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;
const SPACE = 32;

/** The terms of a text, or of a phrase, given as the forms of its words in order. */
export function pairTerms(forms: readonly string[]): string[] {
  const digests = new Set<number>();
  for (let index = 1; index < forms.length; index++) {
    digests.add(digestOf(forms[index - 1] as string, forms[index] as string));
  }
  return Array.from(digests, termOf);
}

function termOf(digest: number): string {
  return `=${DIGITS[digest >>> 12]}${DIGITS[(digest >>> 6) & 63]}${DIGITS[digest & 63]}`;
}

/** FNV-1a over the UTF-16 units of both with a space between them, folded to 16 bits. */
function digestOf(first: string, second: string): number {
  const withSpace = Math.imul(hashOn(FNV_OFFSET, first) ^ SPACE, FNV_PRIME);
  const hash = hashOn(withSpace, second);
  return ((hash >>> BITS) ^ hash) & (2 ** BITS - 1);
}

function hashOn(hash: number, text: string): number {
  let all = hash;
  for (let index = 0; index < text.length; index++) {
    all = Math.imul(all ^ text.charCodeAt(index), FNV_PRIME);
  }
  return all;
}
