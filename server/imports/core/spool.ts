/**
 * Messages of a source in the order of their times, however the source has them. They are sorted in parts
 * that fit into memory, and the parts are merged from files. Memory keeps the keys only.
 */
import { createReadStream, createWriteStream } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { MessageSourceId, SourceMessage } from "./records.ts";

/** How many characters a part has, and how many messages. */
const PART_CHARS = 16 * 1024 * 1024;
const PART_MESSAGES = 20_000;

interface Kept {
  sentAt: number;
  order: number;
  line: string;
}

export class Spool {
  readonly #folder: string;
  #part: Kept[] = [];
  #chars = 0;
  readonly #files: string[] = [];
  #sentAt: number[] = [];
  #order: number[] = [];
  #ids: MessageSourceId[] = [];
  #places = new Map<MessageSourceId, number>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  get size(): number {
    return this.#places.size;
  }

  /** Returns false, and keeps nothing, if there is a message with this id. */
  async add(message: SourceMessage): Promise<boolean> {
    const { id, sentAt, order } = message;
    if (this.#places.has(id)) return false;
    this.#places.set(id, 0);
    this.#sentAt.push(sentAt);
    this.#order.push(order);
    this.#ids.push(id);
    const line = JSON.stringify(message);
    this.#part.push({ sentAt, order, line });
    this.#chars += line.length;
    if (this.#chars >= PART_CHARS || this.#part.length >= PART_MESSAGES) await this.#write();
    return true;
  }

  /** To be called when all are added. Gives each message its place, counted from 1. */
  async end(): Promise<void> {
    await this.#write();
    const sorted = Uint32Array.from(this.#ids.keys());
    sorted.sort(
      (a, b) =>
        (this.#sentAt[a] as number) - (this.#sentAt[b] as number) ||
        (this.#order[a] as number) - (this.#order[b] as number),
    );
    for (const [place, index] of sorted.entries()) {
      this.#places.set(this.#ids[index] as MessageSourceId, place + 1);
    }
    this.#sentAt = [];
    this.#order = [];
    this.#ids = [];
  }

  /** The place of a message among all, from 1; undefined if it is not here. */
  placeOf(id: MessageSourceId): number | undefined {
    return this.#places.get(id);
  }

  /** All messages in their order. */
  async *messages(): AsyncGenerator<SourceMessage> {
    const parts = await Promise.all(this.#files.map((path) => Part.open(path)));
    let open = parts.filter((part) => part.next !== undefined);
    try {
      while (open.length > 0) {
        let first = open[0] as Part;
        for (const part of open)
          if (isBefore(part.next as SourceMessage, first.next as SourceMessage)) first = part;
        yield first.next as SourceMessage;
        await first.advance();
        if (first.next === undefined) open = open.filter((part) => part !== first);
      }
    } finally {
      for (const part of parts) part.close();
    }
  }

  async #write(): Promise<void> {
    if (this.#part.length === 0) return;
    this.#part.sort((a, b) => a.sentAt - b.sentAt || a.order - b.order);
    const path = join(this.#folder, `messages-${this.#files.length}`);
    const lines = this.#part.map(({ line }) => `${line}\n`);
    await pipeline(Readable.from(lines), createWriteStream(path, { flags: "wx", mode: 0o600 }));
    this.#files.push(path);
    this.#part = [];
    this.#chars = 0;
  }
}

function isBefore(a: SourceMessage, b: SourceMessage): boolean {
  return a.sentAt < b.sentAt || (a.sentAt === b.sentAt && a.order < b.order);
}

class Part {
  next: SourceMessage | undefined;
  readonly #lines: AsyncIterator<string>;
  readonly #close: () => void;

  private constructor(lines: AsyncIterator<string>, close: () => void) {
    this.#lines = lines;
    this.#close = close;
  }

  static async open(path: string): Promise<Part> {
    const input = createReadStream(path, { highWaterMark: 64 * 1024 });
    const lines = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
    const part = new Part(lines[Symbol.asyncIterator](), () => input.destroy());
    await part.advance();
    return part;
  }

  async advance(): Promise<void> {
    const { value, done } = await this.#lines.next();
    this.next = done ? undefined : (JSON.parse(value) as SourceMessage);
  }

  close(): void {
    this.#close();
  }
}
