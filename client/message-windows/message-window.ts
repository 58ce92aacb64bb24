/**
 * The known messages of a narrow: a range of ids without a gap. Their texts are in the model. What a window
 * claims is what the server has said of this very narrow, and what events have told since.
 */
import { invariant } from "../model/subject.ts";
import { keyOfNarrow, type Narrow } from "../narrow.ts";

/** What a search found in a message, with the words marked. It holds as long as the text is the same. */
export interface Match {
  content: string;
  markedContent: string;
  topic: string;
  markedTopic: string;
}

/** A page as the server returns it: all messages of the narrow between its first and its last. */
export interface Page {
  ids: readonly number[];
  foundOldest: boolean;
  foundNewest: boolean;
  /** What was asked for: between this and its messages, the page is complete too. */
  anchor?: number;
  /** Set if a search ended early: the page is complete from here, or up to here. Nobody looked beyond. */
  searchedFrom?: number;
  searchedTo?: number;
  /** What a search for words found, by message. */
  matches?: ReadonlyMap<number, Match>;
}

export class MessageWindow {
  readonly narrow: Narrow;
  readonly key: string;
  /** Ascending. */
  ids: number[] = [];
  foundOldest = false;
  /** Messages that arrive belong at the end. */
  foundNewest = false;
  /** Set if the range reaches beyond its messages, because a search ended early. */
  searchedFrom: number | undefined;
  searchedTo: number | undefined;
  /** Nothing is known before the first page. */
  isLoaded = false;
  /** What it has is shown, but claims nothing: its next page replaces it. */
  isOutdated = false;
  readonly matches = new Map<number, Match>();

  constructor(narrow: Narrow) {
    this.narrow = narrow;
    this.key = keyOfNarrow(narrow);
  }

  /** Whether the page would make the range longer, instead of replacing it. */
  joins(page: Page): boolean {
    return this.isLoaded && !this.isOutdated && this.#touches(page);
  }

  /** Joins a page that touches the range. Any other page replaces the range. */
  put(page: Page): void {
    for (const [id, match] of page.matches ?? []) this.matches.set(id, match);
    if (!this.joins(page)) {
      this.ids = [...page.ids];
      this.foundOldest = page.foundOldest;
      this.foundNewest = page.foundNewest;
      this.#noteSearched(page.searchedFrom, page.searchedTo);
    } else {
      this.ids = [...this.#outside(page), ...page.ids].sort((a, b) => a - b);
      this.foundOldest ||= page.foundOldest;
      this.foundNewest ||= page.foundNewest;
      this.#noteSearched(
        Math.min(this.searchedFrom ?? Infinity, page.searchedFrom ?? Infinity),
        Math.max(this.searchedTo ?? -Infinity, page.searchedTo ?? -Infinity),
      );
    }
    this.isLoaded = true;
    this.isOutdated = false;
  }

  /** Shows what is known elsewhere until there is a page. */
  show(page: Page): void {
    this.put(page);
    this.isOutdated = true;
  }

  /** A message that belongs here. Outside of the known range it will be fetched in its turn. */
  insert(id: number): boolean {
    if (!this.spans(id) || this.has(id)) return false;
    const newest = this.ids.at(-1);
    this.ids = newest === undefined || newest < id ? [...this.ids, id] : insert(this.ids, id);
    return true;
  }

  /** Whether the window would have the message if it belonged here. */
  spans(id: number): boolean {
    if (!this.isLoaded) return false;
    return (this.foundOldest || id > this.oldest) && (this.foundNewest || id < this.newest);
  }

  /** Where the known range begins, as long as the oldest message is not known. */
  get oldest(): number {
    return Math.min(this.ids[0] ?? Infinity, this.searchedFrom ?? Infinity);
  }

  /** Where it ends, as long as the newest message is not known. */
  get newest(): number {
    return Math.max(this.ids.at(-1) ?? -Infinity, this.searchedTo ?? -Infinity);
  }

  /** Forgets everything. */
  clear(): void {
    this.ids = [];
    this.#noteSearched();
    this.foundOldest = false;
    this.foundNewest = false;
    this.isLoaded = false;
    this.isOutdated = false;
  }

  remove(isGone: (id: number) => boolean): boolean {
    const left = this.ids.filter((id) => !isGone(id));
    if (left.length === this.ids.length) return false;
    this.ids = left;
    return true;
  }

  has(id: number): boolean {
    const at = lowerBound(this.ids, id);
    return this.ids[at] === id;
  }

  /** Whether the range reaches around the id, so that nothing has to be fetched to open there. */
  covers(id: number): boolean {
    if (this.ids.length === 0) return this.foundOldest && this.foundNewest;
    return (this.foundOldest || id >= this.oldest) && (this.foundNewest || id <= this.newest);
  }

  /** Where the messages reach as far, they tell where the range ends. */
  #noteSearched(from = Infinity, to = -Infinity): void {
    this.searchedFrom = !this.foundOldest && from < (this.ids[0] ?? Infinity) ? from : undefined;
    this.searchedTo = !this.foundNewest && to > (this.ids.at(-1) ?? -Infinity) ? to : undefined;
  }

  /** A page is right about its own range: what it lacks there is gone. */
  #outside(page: Page): number[] {
    const [first, last] = rangeOf(page);
    return this.ids.filter((id) => id < first || id > last);
  }

  #touches(page: Page): boolean {
    const [first, last] = rangeOf(page);
    const [own, ownLast] = rangeOf(this);
    return page.ids.length === 0 || (first <= ownLast && last >= own);
  }
}

type Range = Pick<Page, "ids" | "foundOldest" | "foundNewest" | "anchor"> & {
  searchedFrom?: number | undefined;
  searchedTo?: number | undefined;
};

/** From where to where it is complete. */
function rangeOf(page: Range): [number, number] {
  const { ids, foundOldest, foundNewest, anchor, searchedFrom, searchedTo } = page;
  const first = Math.min(ids[0] ?? Infinity, anchor ?? Infinity, searchedFrom ?? Infinity);
  const last = Math.max(ids.at(-1) ?? -Infinity, anchor ?? -Infinity, searchedTo ?? -Infinity);
  return [foundOldest ? -Infinity : first, foundNewest ? Infinity : last];
}

function insert(ids: readonly number[], id: number): number[] {
  const at = lowerBound(ids, id);
  return [...ids.slice(0, at), id, ...ids.slice(at)];
}

/** The place of the first id that is not smaller. */
function lowerBound(ids: readonly number[], id: number): number {
  let [low, high] = [0, ids.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ids[middle] as number) < id) low = middle + 1;
    else high = middle;
  }
  return low;
}

export function checkInvariants(window: MessageWindow): void {
  const { ids, key } = window;
  const isSorted = ids.every((id, at) => at === 0 || (ids[at - 1] as number) < id);
  invariant(isSorted, `the window of "${key}" is not in order, or has a message twice`);
}
