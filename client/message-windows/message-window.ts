/** The known messages of a narrow: a range of ids without a gap. Their texts are in the model. */
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
  /** Of a search for words, by message. */
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
  /** Nothing is known before the first page. */
  isLoaded = false;
  readonly matches = new Map<number, Match>();
  /** The newest that arrived while the end was not known: a page that was on its way may lack it. */
  #newestLeftOut = 0;

  constructor(narrow: Narrow) {
    this.narrow = narrow;
    this.key = keyOfNarrow(narrow);
  }

  /** Joins a page that touches the range. Any other page replaces the range. */
  put(page: Page): void {
    for (const [id, match] of page.matches ?? []) this.matches.set(id, match);
    const joins = this.isLoaded && this.#touches(page);
    if (!joins) {
      this.ids = [...page.ids];
      this.foundOldest = page.foundOldest;
      this.foundNewest = page.foundNewest;
    } else {
      this.ids = [...this.#outside(page), ...page.ids].sort((a, b) => a - b);
      this.foundOldest ||= page.foundOldest;
      this.foundNewest ||= page.foundNewest;
    }
    if (this.#newestLeftOut > (this.ids.at(-1) ?? 0)) this.foundNewest = false;
    this.isLoaded = true;
  }

  /** A message that arrived. It is left out while newer messages are still to be fetched. */
  append(id: number): boolean {
    if (!this.foundNewest) this.#newestLeftOut = Math.max(this.#newestLeftOut, id);
    if (!this.foundNewest || this.has(id)) return false;
    const newest = this.ids.at(-1);
    this.ids = newest === undefined || newest < id ? [...this.ids, id] : insert(this.ids, id);
    return true;
  }

  /** A message that was moved here. Outside of the known range it will be fetched in its turn. */
  insertWithin(id: number): boolean {
    const [oldest = Infinity, newest = -Infinity] = [this.ids[0], this.ids.at(-1)];
    const isKnown = (this.foundOldest || id > oldest) && (this.foundNewest || id < newest);
    if (!this.isLoaded || !isKnown || this.has(id)) return false;
    this.ids = insert(this.ids, id);
    return true;
  }

  remove(ids: Iterable<number>): boolean {
    const gone = new Set(ids);
    const left = this.ids.filter((id) => !gone.has(id));
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
    const [oldest, newest] = [this.ids[0], this.ids.at(-1)];
    if (oldest === undefined || newest === undefined) return this.foundOldest && this.foundNewest;
    return (this.foundOldest || id >= oldest) && (this.foundNewest || id <= newest);
  }

  /** A page is right about its own range: what it lacks there is gone. */
  #outside({ ids, foundOldest }: Page): number[] {
    const first = foundOldest ? -Infinity : (ids[0] ?? Infinity);
    const last = ids.at(-1) ?? -Infinity;
    return this.ids.filter((id) => id < first || id > last);
  }

  #touches({ ids, foundOldest, foundNewest }: Page): boolean {
    const [oldest, newest] = [ids[0], ids.at(-1)];
    const [ownOldest, ownNewest] = [this.ids[0], this.ids.at(-1)];
    if (oldest === undefined || newest === undefined) return true;
    if (ownOldest === undefined || ownNewest === undefined) return foundOldest || foundNewest;
    return oldest <= ownNewest && newest >= ownOldest;
  }
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
