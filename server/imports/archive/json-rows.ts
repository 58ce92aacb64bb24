/**
 * Reads a JSON object whose values are lists of records, such as a dump of tables, one record at a time. So a
 * file of gigabytes needs the memory of its largest record.
 */
import { createReadStream } from "node:fs";
import { ArchiveError } from "./archive-error.ts";

export interface JsonRow {
  /** The object's key. */
  table: string;
  /** An element of the list, or the value itself where it is no list. */
  row: unknown;
}

const MAX_RECORD_BYTES = 64 * 1024 * 1024;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const COMMA = 0x2c;
const COLON = 0x3a;

/** `name`: of the file, for messages. Throws an ArchiveError for what is no such JSON, at the place. */
export async function* readJsonRows(path: string, name: string): AsyncGenerator<JsonRow> {
  const reader = new RowReader(name);
  for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 })) {
    yield* reader.read(chunk as Buffer);
  }
  reader.end();
}

/** The same for a file that is one list. Throws an ArchiveError for anything else. */
export async function* readJsonList(path: string, name: string): AsyncGenerator<unknown> {
  const reader = new RowReader(name, true);
  for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 })) {
    for (const { row } of reader.read(chunk as Buffer)) yield row;
  }
  reader.end();
}

type State = "start" | "key" | "colon" | "value" | "element" | "after element" | "after value" | "end";

class RowReader {
  readonly #name: string;
  #state: State = "start";
  #table = "";
  /** Bytes of the value under way that came with earlier chunks. */
  #kept: Buffer[] = [];
  #keptBytes = 0;
  #isInValue = false;
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  /** Where the present chunk begins. */
  #offset = 0;

  /** Whether the outermost value is a list and not an object. */
  readonly #isList: boolean;

  constructor(name: string, isList = false) {
    this.#name = name;
    this.#isList = isList;
  }

  *read(chunk: Buffer): Generator<JsonRow> {
    let start = 0;
    let index = 0;
    const { length } = chunk;
    while (index < length) {
      if (!this.#isInValue) {
        const byte = chunk[index] as number;
        if (byte === 0x20 || (byte >= 0x09 && byte <= 0x0d)) {
          index++;
          continue;
        }
        if (this.#punctuation(byte, index)) {
          index++;
          continue;
        }
        this.#isInValue = true;
        this.#depth = 0;
        start = index;
      }
      const end = this.#skipValue(chunk, index);
      if (end < 0) break;
      const bytes =
        this.#kept.length > 0
          ? Buffer.concat([...this.#kept, chunk.subarray(start, end)])
          : chunk.subarray(start, end);
      this.#kept = [];
      this.#keptBytes = 0;
      this.#isInValue = false;
      const row = this.#valueEnded(bytes, index);
      if (row) yield row;
      index = end;
      start = end;
    }
    if (this.#isInValue) {
      // A copy: the stream uses its memory again.
      this.#kept.push(Buffer.from(chunk.subarray(start)));
      this.#keptBytes += length - start;
      if (this.#keptBytes > MAX_RECORD_BYTES) {
        throw new ArchiveError(
          `${this.#name} has a record of more than ${MAX_RECORD_BYTES / 1024 ** 2} MiB.`,
        );
      }
    }
    this.#offset += length;
  }

  end(): void {
    if (this.#state === "end" && !this.#isInValue) return;
    throw new ArchiveError(
      `${this.#name} ends in the middle: the archive was cut off, or its export failed.`,
    );
  }

  /** Whether the byte is a part of the outer object and not of a value. */
  #punctuation(byte: number, index: number): boolean {
    switch (this.#state) {
      case "start":
        if (byte !== (this.#isList ? OPEN_LIST : OPEN_OBJECT)) this.#fail(index);
        this.#state = this.#isList ? "element" : "key";
        return true;
      case "key":
        if (byte === CLOSE_OBJECT) {
          this.#state = "end";
          return true;
        }
        if (byte !== QUOTE) this.#fail(index);
        return false;
      case "colon":
        if (byte !== COLON) this.#fail(index);
        this.#state = "value";
        return true;
      case "value":
        if (byte !== OPEN_LIST) return false;
        this.#state = "element";
        return true;
      case "element":
        if (byte !== CLOSE_LIST) return false;
        this.#state = this.#afterList();
        return true;
      case "after element":
        if (byte !== COMMA && byte !== CLOSE_LIST) this.#fail(index);
        this.#state = byte === COMMA ? "element" : this.#afterList();
        return true;
      case "after value":
        if (byte !== COMMA && byte !== CLOSE_OBJECT) this.#fail(index);
        this.#state = byte === COMMA ? "key" : "end";
        return true;
      case "end":
        return this.#fail(index);
    }
  }

  #afterList(): State {
    return this.#isList ? "end" : "after value";
  }

  /** Where the value ends, or -1 if it goes on in the next chunk. */
  #skipValue(chunk: Buffer, from: number): number {
    let depth = this.#depth;
    let isInString = this.#isInString;
    let isEscaped = this.#isEscaped;
    for (let index = from; index < chunk.length; index++) {
      const byte = chunk[index] as number;
      if (isInString) {
        if (isEscaped) isEscaped = false;
        else if (byte === BACKSLASH) isEscaped = true;
        else if (byte === QUOTE) {
          isInString = false;
          if (depth === 0) return this.#ended(index + 1);
        }
      } else if (byte === QUOTE) isInString = true;
      else if (byte === OPEN_OBJECT || byte === OPEN_LIST) depth++;
      else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
        // The end of what surrounds a number or a word.
        if (depth === 0) return this.#ended(index);
        if (--depth === 0) return this.#ended(index + 1);
      } else if (byte === COMMA && depth === 0) return this.#ended(index);
    }
    this.#depth = depth;
    this.#isInString = isInString;
    this.#isEscaped = isEscaped;
    return -1;
  }

  #ended(index: number): number {
    this.#depth = 0;
    this.#isInString = false;
    this.#isEscaped = false;
    return index;
  }

  #valueEnded(bytes: Buffer, index: number): JsonRow | undefined {
    const value = this.#parse(bytes, index);
    switch (this.#state) {
      case "key":
        this.#table = String(value);
        this.#state = "colon";
        return undefined;
      case "value":
        this.#state = "after value";
        return { table: this.#table, row: value };
      default:
        this.#state = "after element";
        return { table: this.#table, row: value };
    }
  }

  #parse(bytes: Buffer, index: number): unknown {
    try {
      return JSON.parse(bytes.toString("utf8"));
    } catch {
      return this.#fail(index);
    }
  }

  #fail(index: number): never {
    throw new ArchiveError(`${this.#name} is no valid JSON near byte ${this.#offset + index}.`);
  }
}
