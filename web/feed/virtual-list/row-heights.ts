/**
 * How high the rows of a list are, in pixels: those that were measured, and a guess for the others. Offsets
 * are from the top of the first row.
 */

/** The height of rows that nobody has measured yet. */
const FIRST_GUESS_PX = 40;
/** After so many, the guess is their mean, and stays it: else the whole list would move with each row. */
const SAMPLE = 10;

/** What is worth keeping of a list that is left. */
export interface KnownHeights {
  readonly guess: number | undefined;
  readonly byKey: ReadonlyMap<string, number>;
}

export class RowHeights {
  readonly #byKey: Map<string, number>;
  #guess: number | undefined;
  #keys: readonly string[] = [];
  /** The offsets of each row and of the end. Those up to `#valid` are right. */
  #offsets: number[] = [0];
  #valid = 0;

  constructor(known?: KnownHeights) {
    this.#byKey = new Map(known?.byKey);
    this.#guess = known?.guess;
  }

  get known(): KnownHeights {
    return { guess: this.#guess, byKey: new Map(this.#byKey) };
  }

  get total(): number {
    return this.offsetOf(this.#keys.length);
  }

  setKeys(keys: readonly string[]): void {
    let same = 0;
    while (same < keys.length && keys[same] === this.#keys[same]) same++;
    this.#keys = keys;
    this.#offsets.length = Math.min(this.#offsets.length, keys.length + 1);
    this.#valid = Math.min(this.#valid, same);
  }

  isKnown(index: number): boolean {
    return this.#byKey.has(this.#keys[index] as string);
  }

  heightOf(index: number): number {
    return this.#byKey.get(this.#keys[index] as string) ?? this.#guess ?? FIRST_GUESS_PX;
  }

  set(index: number, height: number): void {
    this.#byKey.set(this.#keys[index] as string, height);
    this.#valid = Math.min(this.#valid, index);
    if (this.#guess !== undefined || this.#byKey.size < SAMPLE) return;
    let sum = 0;
    for (const one of this.#byKey.values()) sum += one;
    this.#guess = sum / this.#byKey.size;
    this.#valid = 0;
  }

  /** After the rows have got another width. */
  forget(): void {
    this.#byKey.clear();
    this.#valid = 0;
  }

  /** `index` may be the number of rows: the end. */
  offsetOf(index: number): number {
    for (; this.#valid < index; this.#valid++)
      this.#offsets[this.#valid + 1] = (this.#offsets[this.#valid] as number) + this.heightOf(this.#valid);
    return this.#offsets[index] as number;
  }

  /** The row at this offset, or the nearest one; -1 of an empty list. */
  indexAt(offset: number): number {
    let [low, high] = [0, this.#keys.length - 1];
    if (offset >= this.total) return high;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (this.offsetOf(middle) <= offset) low = middle;
      else high = middle - 1;
    }
    return Math.min(low, high);
  }
}
