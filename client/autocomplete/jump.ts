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
  /** How often and how lately it was visited, if it was. Higher comes first. */
  visits?: number;
  kind: Kind;
}

export type Kind = "channel" | "person" | "view" | "topic" | "command";

interface Entry<T> {
  item: T;
  name: string;
  /** With the context, for texts of several words. */
  whole: string;
  order: number;
  visits: number;
  kind: Kind;
}

interface Found<T> {
  entry: Entry<T>;
  /** First by this, lower first, and then by the fit. */
  tier: number;
  fit: number;
}

/** How well a name fits, best first. Letters in the right order are the least. */
const FITS = { equal: 0, start: 1, word: 2, words: 3, inside: 4, letters: 5 };
/** Fewer letters are in too many names. */
const MIN_LETTERS = 3;
const WORD_ENDS = /[\s\-_.'’(/]/;

/**
 * What comes before what: names of places that begin with the text, what was visited, places with such a
 * word, topics and commands, all that have the text inside, and at last the letters alone.
 */
const TIERS = { named: 0, visited: 1, worded: 2, others: 3, inside: 4, letters: 5 };

/**
 * Gives a function that finds the best few for a text. Without a text, visits and order decide alone. Where
 * others need the room, no kind has more than a share of it.
 */
export function createJump<T>(all: Iterable<Jump<T>>, limit: number): (text: string) => T[] {
  const entries: Entry<T>[] = [];
  for (const { item, name, context = "", order, visits = 0, kind } of all) {
    const folded = fold(name);
    entries.push({ item, name: folded, whole: `${fold(context)} ${folded}`, order, visits, kind });
  }
  return (text) => {
    const wanted = fold(text);
    const words = wanted.split(/\s+/);
    const byKind = new Map<Kind, Found<T>[]>();
    for (const entry of entries) {
      const fit = fitOf(entry, wanted, words);
      if (fit === undefined) continue;
      const found = { entry, fit, tier: wanted === "" ? Number(entry.visits === 0) : tierOf(entry, fit) };
      const best = byKind.get(entry.kind) ?? [];
      byKind.set(entry.kind, best);
      insert(best, found, limit);
    }
    return share([...byKind.values()], limit).map(({ entry }) => entry.item);
  };
}

function insert<T>(best: Found<T>[], found: Found<T>, limit: number): void {
  let at = best.length;
  while (at > 0 && compare(found, best[at - 1] as Found<T>) < 0) at--;
  if (at >= limit) return;
  best.splice(at, 0, found);
  if (best.length > limit) best.pop();
}

/** Each kind is ranked. First its share of all, then what the others leave. */
function share<T>(kinds: readonly Found<T>[][], limit: number): Found<T>[] {
  const most = Math.ceil(limit / 2) - 1;
  const first = kinds.flatMap((found) => found.slice(0, most)).sort(compare);
  const rest = kinds.flatMap((found) => found.slice(most)).sort(compare);
  return [...first, ...rest].slice(0, limit).sort(compare);
}

function tierOf({ kind, visits }: Entry<unknown>, fit: number): number {
  const isPlace = kind === "channel" || kind === "person" || kind === "view";
  if (isPlace && fit <= FITS.start) return TIERS.named;
  if (fit === FITS.letters) return TIERS.letters;
  if (visits > 0) return TIERS.visited;
  if (fit === FITS.inside) return TIERS.inside;
  return isPlace ? TIERS.worded : TIERS.others;
}

/** What was visited more comes before what fits better, except among names that begin with the text. */
function compare(a: Found<unknown>, b: Found<unknown>): number {
  const byFit = a.fit - b.fit;
  const byVisits = b.entry.visits - a.entry.visits;
  return (
    a.tier - b.tier ||
    (a.tier === TIERS.visited ? byVisits || byFit : byFit || byVisits) ||
    a.entry.order - b.entry.order ||
    (a.entry.name < b.entry.name ? -1 : Number(a.entry.name > b.entry.name))
  );
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
