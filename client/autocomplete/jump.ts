/**
 * Finds places, people and commands by what is typed, for every key among ten thousand of them. The names are
 * folded once, when the list is made.
 */
import { fold } from "./fold.ts";

export interface Jump<T> {
  item: T;
  name: string;
  /** Found too, but only together with the name: the channel of a topic. */
  context?: string;
  /** Lower comes first among those that fit equally well: what was used lately. */
  order: number;
}

interface Entry<T> {
  item: T;
  name: string;
  /** With the context, for texts of several words. */
  whole: string;
  order: number;
}

/** How well a name fits, best first. Letters in the right order are the least. */
const FITS = { equal: 0, start: 1, word: 2, words: 3, inside: 4, letters: 5 };
/** Fewer letters are in too many names. */
const MIN_LETTERS = 3;
const WORD_ENDS = /[\s\-_.'’(/]/;

/** Gives a function that finds the best few for a text. Without a text, order alone decides. */
export function createJump<T>(all: Iterable<Jump<T>>, limit: number): (text: string) => T[] {
  const entries: Entry<T>[] = [];
  for (const { item, name, context = "", order } of all) {
    const folded = fold(name);
    entries.push({ item, name: folded, whole: `${fold(context)} ${folded}`, order });
  }
  return (text) => {
    const wanted = fold(text);
    const words = wanted.split(/\s+/);
    const found: { entry: Entry<T>; fit: number }[] = [];
    for (const entry of entries) {
      const fit = fitOf(entry, wanted, words);
      if (fit === undefined) continue;
      let at = found.length;
      while (at > 0 && isBefore(entry, fit, found[at - 1] as (typeof found)[number])) at--;
      if (at >= limit) continue;
      found.splice(at, 0, { entry, fit });
      if (found.length > limit) found.pop();
    }
    return found.map(({ entry }) => entry.item);
  };
}

function isBefore(a: Entry<unknown>, fit: number, b: { entry: Entry<unknown>; fit: number }): boolean {
  if (fit !== b.fit) return fit < b.fit;
  if (a.order !== b.entry.order) return a.order < b.entry.order;
  return a.name < b.entry.name;
}

function fitOf(
  { name, whole }: Entry<unknown>,
  wanted: string,
  words: readonly string[],
): number | undefined {
  if (name.startsWith(wanted)) return name.length === wanted.length ? FITS.equal : FITS.start;
  const at = name.indexOf(wanted);
  if (at > 0 && startsWordAt(name, wanted, at)) return FITS.word;
  if (words.length > 1 && words.every((word) => startsWord(whole, word))) return FITS.words;
  if (at > 0) return FITS.inside;
  return wanted.length >= MIN_LETTERS && hasLetters(name, wanted) ? FITS.letters : undefined;
}

function startsWord(name: string, word: string): boolean {
  return name.startsWith(word) || startsWordAt(name, word, name.indexOf(word, 1));
}

/** At the given place, or at a later one. */
function startsWordAt(name: string, word: string, first: number): boolean {
  for (let at = first; at > 0; at = name.indexOf(word, at + 1)) {
    if (WORD_ENDS.test(name[at - 1] ?? "")) return true;
  }
  return false;
}

/** In their order, beginning with the name's own first letter. */
function hasLetters(name: string, wanted: string): boolean {
  if (name[0] !== wanted[0]) return false;
  let at = 0;
  for (const letter of wanted) {
    at = name.indexOf(letter, at) + 1;
    if (at === 0) return false;
  }
  return true;
}
