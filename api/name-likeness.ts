import { foldName } from "./fold-name.ts";

const PLAIN = /^(?! )(?!.* (?: |$))[\x20-\x7e]*$/;
const UNSEEN = /[\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/gu;
/** Two are enough for all that is known. */
const MAX_ROUNDS = 4;
const BLANKS = /\s+/gu;

/**
 * Equal for names that people can't tell apart, or hardly: in one form of each letter (NFKC), in small
 * letters, without characters that can't be seen, and with one blank for several. A new name may not be like
 * another's. It says nothing of which thing a name means: that is `foldName`, which tells more names apart.
 * So older things that are alike stay what they are.
 */
export function likenessOf(name: string): string {
  if (PLAIN.test(name)) return name.toLowerCase();
  let likeness = name;
  // Small letters and letters without unseen characters can have other forms again.
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const before = likeness;
    likeness = foldName(before.normalize("NFKC").replace(UNSEEN, "")).replace(BLANKS, " ").trim();
    if (likeness === before) break;
  }
  return likeness;
}

/** One of the things whose name is like this one. */
export function findAlike<T extends { name: string }>(things: Iterable<T>, name: string): T | undefined {
  const likeness = likenessOf(name);
  for (const thing of things) if (likenessOf(thing.name) === likeness) return thing;
  return undefined;
}
