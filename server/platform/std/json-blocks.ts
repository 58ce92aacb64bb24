import { RawJson } from "./raw-json.ts";

/** How many values a block has. A change of one value makes one block again. */
export const BLOCK_SIZE = 256;

/** Shorter runs of bytes are copied together: to send each by itself would take longer. In bytes. */
const SHORT_RUN = 16 * 1024;

interface Block<T> {
  values: readonly T[];
  /** The JSON of each value with a comma behind it, in UTF-8. */
  bytes: Buffer;
  /** Where the JSON of each value ends, before its comma. */
  ends: readonly number[];
}

/**
 * A long list of values as JSON, kept as bytes. Lists with some of them are assembled from runs of these
 * bytes. A value is known by its identity: its JSON must not change.
 */
export class JsonBlocks<T> {
  readonly #blocks: readonly Block<T>[];

  private constructor(blocks: readonly Block<T>[]) {
    this.#blocks = blocks;
  }

  /** What `former` has at the same place is not written again, and its blocks without a change are shared. */
  static of<T>(values: readonly T[], write: (value: T) => string, former?: JsonBlocks<T>): JsonBlocks<T> {
    const old = former ? former.#blocks : [];
    const blocks: Block<T>[] = [];
    for (let start = 0; start < values.length; start += BLOCK_SIZE) {
      const some = values.slice(start, start + BLOCK_SIZE);
      blocks.push(makeBlock(some, write, old[blocks.length]));
    }
    return new JsonBlocks(blocks);
  }

  /** The JSON of the value at this place. The bytes must not be changed. */
  at(index: number): Buffer {
    const { bytes, ends } = this.#blocks[Math.floor(index / BLOCK_SIZE)] as Block<T>;
    return bytes.subarray(startIn(ends, index % BLOCK_SIZE), ends[index % BLOCK_SIZE]);
  }

  /** The list of those values at whose places `isListed` holds. `other`: other JSON for one of them. */
  listOf(isListed: (index: number) => boolean, other?: { index: number; json: string }): RawJson {
    const runs: Buffer[] = [];
    for (let number = 0; number < this.#blocks.length; number++) {
      const { bytes, ends } = this.#blocks[number] as Block<T>;
      let start = -1;
      for (let place = 0; place <= ends.length; place++) {
        const index = number * BLOCK_SIZE + place;
        const isOther = index === other?.index && place < ends.length && isListed(index);
        const isIn = !isOther && place < ends.length && isListed(index);
        if (isOther && start >= 0) runs.push(bytes.subarray(start, startIn(ends, place)));
        if (isOther) runs.push(Buffer.from(`${other.json},`));
        if (isOther) start = -1;
        if (isIn === start >= 0) continue;
        if (isIn) start = startIn(ends, place);
        else {
          runs.push(bytes.subarray(start, startIn(ends, place)));
          start = -1;
        }
      }
    }
    return new RawJson(asList(runs));
  }
}

function makeBlock<T>(
  values: readonly T[],
  write: (value: T) => string,
  former: Block<T> | undefined,
): Block<T> {
  const isKept = (place: number) => place < values.length && former?.values[place] === values[place];
  if (former?.values.length === values.length && values.every((_, place) => isKept(place))) return former;
  const parts: Buffer[] = [];
  const ends: number[] = [];
  let length = 0;
  for (let place = 0; place < values.length; ) {
    let after = place;
    while (isKept(after)) after++;
    if (former && after > place) {
      const from = startIn(former.ends, place);
      for (const end of former.ends.slice(place, after)) ends.push(length + end - from);
      parts.push(former.bytes.subarray(from, startIn(former.ends, after)));
      place = after;
    } else {
      parts.push(Buffer.from(`${write(values[place] as T)},`));
      ends.push(length + (parts.at(-1)?.length ?? 0) - 1);
      place++;
    }
    length += parts.at(-1)?.length ?? 0;
  }
  return { values, bytes: Buffer.concat(parts, length), ends };
}

/** Where the value at this place begins; behind the last place, where the bytes end. */
function startIn(ends: readonly number[], place: number): number {
  return place === 0 ? 0 : (ends[place - 1] as number) + 1;
}

const OPEN = Buffer.from("[");
const CLOSE = Buffer.from("]");

/** The runs end with commas, of which the last one is left out. Long runs are not copied. */
function asList(runs: readonly Buffer[]): Buffer[] {
  const pieces: Buffer[] = [];
  let short: Buffer[] = [OPEN];
  for (const [index, run] of runs.entries()) {
    const part = index === runs.length - 1 ? run.subarray(0, -1) : run;
    if (part.length < SHORT_RUN) short.push(part);
    else {
      if (short.length > 0) pieces.push(Buffer.concat(short));
      pieces.push(part);
      short = [];
    }
  }
  pieces.push(Buffer.concat([...short, CLOSE]));
  return pieces;
}
