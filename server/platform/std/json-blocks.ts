import { deflated, KeptBytes } from "./deflate.ts";
import { RawJson } from "./raw-json.ts";

/** How many values a block has. A change of one value makes one block again. */
export const BLOCK_SIZE = 256;

/** Shorter runs of bytes are copied together: to send each by itself would take longer. In bytes. */
const SHORT_RUN = 16 * 1024;

/** How long a turn of a very long list takes at most, besides one block. */
const TURN_MS = 8;

interface Block<T> {
  values: readonly T[];
  /** The JSON of each value with a comma behind it, in UTF-8. */
  whole: KeptBytes;
  /** The same without the last comma. */
  last: KeptBytes;
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

  /** The same of a very long list, in several turns of the event loop. */
  static async inTurns<T>(values: readonly T[], write: (value: T) => string): Promise<JsonBlocks<T>> {
    const blocks: Block<T>[] = [];
    let startedAt = performance.now();
    for (let start = 0; start < values.length; start += BLOCK_SIZE) {
      if (performance.now() - startedAt > TURN_MS) {
        await new Promise(setImmediate);
        startedAt = performance.now();
      }
      blocks.push(makeBlock(values.slice(start, start + BLOCK_SIZE), write, undefined));
    }
    return new JsonBlocks(blocks);
  }

  /** The JSON of the value at this place. The bytes must not be changed. */
  at(index: number): Buffer {
    const { whole, ends } = this.#blocks[Math.floor(index / BLOCK_SIZE)] as Block<T>;
    return whole.bytes.subarray(startIn(ends, index % BLOCK_SIZE), ends[index % BLOCK_SIZE]);
  }

  /** The list of those values at whose places `isListed` holds. `other`: other JSON for one of them. */
  listOf(isListed: (index: number) => boolean, other?: { index: number; json: string }): RawJson {
    const runs: Run[] = [];
    for (let number = 0; number < this.#blocks.length; number++) {
      const { whole, last, ends } = this.#blocks[number] as Block<unknown>;
      let start = -1;
      const end = (place: number) => {
        if (start === 0 && place === ends.length) runs.push({ whole, last });
        else if (start >= 0) runs.push(whole.bytes.subarray(startIn(ends, start), startIn(ends, place)));
        start = -1;
      };
      for (let place = 0; place < ends.length; place++) {
        const index = number * BLOCK_SIZE + place;
        if (!isListed(index)) end(place);
        else if (index === other?.index) {
          end(place);
          runs.push(Buffer.from(`${other.json},`));
        } else if (start < 0) start = place;
      }
      end(ends.length);
    }
    return new ListJson(withoutLastComma(runs));
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
      parts.push(former.whole.bytes.subarray(from, startIn(former.ends, after)));
      place = after;
    } else {
      parts.push(Buffer.from(`${write(values[place] as T)},`));
      ends.push(length + (parts.at(-1)?.length ?? 0) - 1);
      place++;
    }
    length += parts.at(-1)?.length ?? 0;
  }
  const bytes = Buffer.concat(parts, length);
  return { values, whole: new KeptBytes(bytes), last: new KeptBytes(bytes.subarray(0, -1)), ends };
}

/** Where the value at this place begins; behind the last place, where the bytes end. */
function startIn(ends: readonly number[], place: number): number {
  return place === 0 ? 0 : (ends[place - 1] as number) + 1;
}

/** A whole block, or bytes of some of its values. Each value has a comma behind it. */
type Run = Pick<Block<unknown>, "whole" | "last"> | Buffer;

function withoutLastComma(runs: readonly Run[]): (KeptBytes | Buffer)[] {
  return runs.map((run, index) => {
    const isLast = index === runs.length - 1;
    if (Buffer.isBuffer(run)) return isLast ? run.subarray(0, -1) : run;
    return isLast ? run.last : run.whole;
  });
}

const OPEN = Buffer.from("[");
const CLOSE = Buffer.from("]");

/** Whole blocks of a list are compressed once, for all lists that have them. */
class ListJson extends RawJson {
  readonly #runs: readonly (KeptBytes | Buffer)[];

  constructor(runs: readonly (KeptBytes | Buffer)[]) {
    super(asList(runs.map((run) => (Buffer.isBuffer(run) ? run : run.bytes))));
    this.#runs = runs;
  }

  protected override makeParts(): Promise<readonly Buffer[]> {
    const parts: Promise<Buffer>[] = [];
    let others: Buffer[] = [OPEN];
    for (const run of this.#runs) {
      if (Buffer.isBuffer(run)) others.push(run);
      else {
        if (others.length > 0) parts.push(deflated(Buffer.concat(others), 1));
        parts.push(run.part());
        others = [];
      }
    }
    parts.push(deflated(Buffer.concat([...others, CLOSE]), 1));
    return Promise.all(parts);
  }
}

/** Long runs are not copied. */
function asList(runs: readonly Buffer[]): Buffer[] {
  const pieces: Buffer[] = [];
  let short: Buffer[] = [OPEN];
  for (const run of runs) {
    if (run.length < SHORT_RUN) short.push(run);
    else {
      if (short.length > 0) pieces.push(Buffer.concat(short));
      pieces.push(run);
      short = [];
    }
  }
  pieces.push(Buffer.concat([...short, CLOSE]));
  return pieces;
}
