/** The best few of many names for what was typed, quick enough for every key among ten thousand people. */
import { fold } from "./fold.ts";

export interface Ranked<T> {
  item: T;
  name: string;
  /** Lower comes first: what was used lately here. */
  order: number;
}

/**
 * Those whose name, or a word of it, begins with the text. What has a lower `order` comes first, then names
 * that begin with the text as a whole, then the alphabet.
 */
export function best<T>(all: Iterable<Ranked<T>>, text: string, limit: number): T[] {
  const wanted = fold(text);
  const found: { one: Ranked<T>; isWhole: boolean; folded: string }[] = [];
  for (const one of all) {
    const folded = fold(one.name);
    const isWhole = folded.startsWith(wanted);
    if (!isWhole && !startsWord(folded, wanted)) continue;
    const entry = { one, isWhole, folded };
    let at = found.length;
    while (at > 0 && isBefore(entry, found[at - 1] as typeof entry)) at--;
    if (at >= limit) continue;
    found.splice(at, 0, entry);
    if (found.length > limit) found.pop();
  }
  return found.map(({ one }) => one.item);
}

interface Entry {
  one: { order: number };
  isWhole: boolean;
  folded: string;
}

function isBefore(a: Entry, b: Entry): boolean {
  if (a.one.order !== b.one.order) return a.one.order < b.one.order;
  if (a.isWhole !== b.isWhole) return a.isWhole;
  return a.folded < b.folded;
}

function startsWord(folded: string, wanted: string): boolean {
  for (let at = folded.indexOf(wanted, 1); at > 0; at = folded.indexOf(wanted, at + 1)) {
    if (/[\s\-_.'’(]/.test(folded[at - 1] ?? "")) return true;
  }
  return false;
}
