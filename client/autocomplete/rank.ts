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
  return bestOf(all, text, limit, { nameOf: ({ name }) => name, orderOf: ({ order }) => order }).map(
    ({ item }) => item,
  );
}

export interface Ranking<T> {
  nameOf(one: T): string;
  orderOf(one: T): number;
}

/** The same for things that need no object of their own to be ranked. */
export function bestOf<T>(
  all: Iterable<T>,
  text: string,
  limit: number,
  { nameOf, orderOf }: Ranking<T>,
): T[] {
  const wanted = fold(text);
  const found: Entry<T>[] = [];
  for (const candidate of all) {
    const folded = fold(nameOf(candidate));
    const isWhole = folded.startsWith(wanted);
    if (!isWhole && !startsWord(folded, wanted)) continue;
    const order = orderOf(candidate);
    let at = found.length;
    while (at > 0 && isBefore(order, isWhole, folded, found[at - 1] as Entry<T>)) at--;
    if (at >= limit) continue;
    found.splice(at, 0, { one: candidate, order, isWhole, folded });
    if (found.length > limit) found.pop();
  }
  return found.map(({ one }) => one);
}

interface Entry<T> {
  one: T;
  order: number;
  isWhole: boolean;
  folded: string;
}

function isBefore(order: number, isWhole: boolean, folded: string, other: Entry<unknown>): boolean {
  if (order !== other.order) return order < other.order;
  if (isWhole !== other.isWhole) return isWhole;
  return folded < other.folded;
}

function startsWord(folded: string, wanted: string): boolean {
  for (let at = folded.indexOf(wanted, 1); at > 0; at = folded.indexOf(wanted, at + 1)) {
    if (/[\s\-_.'’(]/.test(folded[at - 1] ?? "")) return true;
  }
  return false;
}
