/**
 * The newest entries of one organization's log, so that a queue or a follower that is a little behind reads
 * no rows. They are bounded by count and by size: an entry of a long message holds its text, its HTML and
 * each form in which queues got it, some hundred kilobytes. All organizations of a node share a bound too.
 */
import type { Position } from "../../../api/ids.ts";
import type { LogEntry } from "./log-entry.ts";

/** Sizes are in characters of text. Each takes one byte in memory, or two where a text is not Latin. */
const MAX_SIZE = 16 * 2 ** 20;
const MAX_SIZE_OF_NODE = 128 * 2 ** 20;
/** Twice as many are never kept. More would only grow old in memory. */
const MAX_ENTRIES = 2048;

export interface RecentLimits {
  entries: number;
  size: number;
}

/** What is kept of all organizations of a node. Those that got an entry longest ago lose theirs first. */
export class RecentShare {
  readonly #limit: number;
  /** In the order of their newest entries. */
  readonly #sharers = new Set<RecentEntries>();
  #size = 0;

  constructor(limit = MAX_SIZE_OF_NODE) {
    this.#limit = limit;
  }

  /** The size of all. */
  get size(): number {
    return this.#size;
  }

  /** To be called when `sharer` has got or dropped entries. */
  changed(sharer: RecentEntries, growth: number): void {
    this.#size += growth;
    if (growth <= 0) return;
    this.#sharers.delete(sharer);
    this.#sharers.add(sharer);
    if (this.#size > this.#limit) this.#dropOldest(sharer);
  }

  #dropOldest(but: RecentEntries): void {
    for (const sharer of this.#sharers) {
      if (this.#size <= this.#limit || sharer === but) return;
      this.#sharers.delete(sharer);
      sharer.clear();
    }
  }
}

export class RecentEntries {
  readonly #share: RecentShare;
  readonly #limits: RecentLimits;
  /** The oldest first. */
  #entries: LogEntry[] = [];
  /** The size of each entry. */
  #sizes: number[] = [];
  #size = 0;
  /** What was added since the share was told. */
  #growth = 0;
  #after: Position;

  constructor(after: Position, share: RecentShare, limits = { entries: MAX_ENTRIES, size: MAX_SIZE }) {
    this.#after = after;
    this.#share = share;
    this.#limits = limits;
  }

  /** Everything after this position is here. */
  get after(): Position {
    return this.#after;
  }

  get all(): readonly LogEntry[] {
    return this.#entries;
  }

  get size(): number {
    return this.#size;
  }

  /** Adds the next entry. To be called once it is dispatched, so that the forms for queues are counted. */
  add(entry: LogEntry): void {
    const size = sizeOf(entry);
    this.#entries.push(entry);
    this.#sizes.push(size);
    this.#size += size;
    this.#growth += size;
  }

  /** Drops what is too much. To be called after entries were added. */
  trim(): void {
    const { entries, size } = this.#limits;
    if (this.#entries.length >= 2 * entries) this.#drop(this.#entries.length - entries);
    if (this.#size > size) this.#drop(this.#countAbove(size - size / 4));
    const growth = this.#growth;
    this.#growth = 0;
    if (growth !== 0) this.#share.changed(this, growth);
  }

  /**
   * The entries with after < position <= upTo, at most `limit`; undefined if memory does not go back so far.
   */
  between(after: Position, upTo: Position, limit: number): LogEntry[] | undefined {
    if (after < this.#after) return undefined;
    const from = this.#firstAfter(after);
    return this.#entries.slice(from, Math.min(this.#firstAfter(upTo), from + limit));
  }

  clear(): void {
    this.#drop(this.#entries.length);
    const growth = this.#growth;
    this.#growth = 0;
    this.#share.changed(this, growth);
  }

  /** How many of the oldest entries are more than this size. */
  #countAbove(size: number): number {
    let [count, left] = [0, this.#size];
    while (left > size) left -= this.#sizes[count++] as number;
    return count;
  }

  #drop(count: number): void {
    if (count === 0) return;
    for (let index = 0; index < count; index++) {
      const size = this.#sizes[index] as number;
      this.#size -= size;
      this.#growth -= size;
    }
    this.#after = (this.#entries[count - 1] as LogEntry).position;
    // A new list, since the storage of one that was spliced keeps what it had until it is written over.
    this.#entries = this.#entries.slice(count);
    this.#sizes = this.#sizes.slice(count);
  }

  /** The index of the first entry after the position. */
  #firstAfter(position: Position): number {
    let [from, to] = [0, this.#entries.length];
    while (from < to) {
      const middle = (from + to) >>> 1;
      if ((this.#entries[middle] as LogEntry).position <= position) from = middle + 1;
      else to = middle;
    }
    return from;
  }
}

/** The objects of an entry, without its texts. */
const SIZE_OF_OBJECTS = 500;

export function sizeOf({ payload, audience, statePatch, variants, rareVariants }: LogEntry): number {
  let size = SIZE_OF_OBJECTS + sizeOfValue(payload) + sizeOfValue(audience);
  if (statePatch) size += sizeOfValue(statePatch);
  // Numbers that no queue chose leave holes.
  for (const variant of variants) if (variant) size += variant.json.length;
  if (rareVariants) for (const { json } of rareVariants.values()) size += json.length;
  return size;
}

const SIZE_OF_NUMBER = 8;

function sizeOfValue(value: unknown): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return SIZE_OF_NUMBER;
  if (Array.isArray(value)) {
    if (typeof value[0] === "number") return value.length * SIZE_OF_NUMBER;
    let size = SIZE_OF_NUMBER;
    for (const item of value) size += sizeOfValue(item);
    return size;
  }
  let size = SIZE_OF_NUMBER;
  for (const key in value) size += sizeOfValue((value as Record<string, unknown>)[key]);
  return size;
}
