/**
 * A gzip file that is put together from parts. Each part is compressed by itself and ends at a whole byte, so
 * that parts can be kept and used again, in any order. No part refers to another one, so the length of a part
 * says nothing about the others.
 */
import { promisify } from "node:util";
import { constants, crc32, deflateRaw } from "node:zlib";

const deflate = promisify(deflateRaw);

/** For what is sent once, and for what is kept. */
export type Level = 1 | 6;

/** Shorter parts are stored: compressing them takes more time than it saves. In bytes. */
const SHORT = 1024;
const MAX_STORED = 65_535;

/** Bytes as a part of their own, in another thread. */
export async function deflated(bytes: Buffer, level: Level): Promise<Buffer> {
  if (bytes.length < SHORT) return stored(bytes);
  return deflate(bytes, { level, finishFlush: constants.Z_FULL_FLUSH });
}

/** Bytes as a part that is not compressed. */
export function stored(bytes: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let start = 0; start < bytes.length; start += MAX_STORED) {
    const some = bytes.subarray(start, start + MAX_STORED);
    const head = Buffer.alloc(5);
    head.writeUInt16LE(some.length, 1);
    head.writeUInt16LE(~some.length & 0xffff, 3);
    parts.push(head, some);
  }
  return Buffer.concat(parts);
}

/** Bytes that are kept, with their compressed form once somebody has asked for it. */
export class KeptBytes {
  readonly bytes: Buffer;
  #part: Promise<Buffer> | undefined;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  /** As a part of a gzip file. */
  part(): Promise<Buffer> {
    this.#part ??= deflated(this.bytes, 6);
    return this.#part;
  }
}

const HEAD = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]);
/** The last block of the data, which is empty. */
const END = Buffer.from([1, 0, 0, 255, 255]);

/** The file. `plain`: what the parts are, before they were compressed. */
export function gzipOf(parts: readonly Buffer[], plain: Iterable<Buffer>): Buffer[] {
  let sum = 0;
  let length = 0;
  for (const bytes of plain) {
    sum = crc32(bytes, sum);
    length += bytes.length;
  }
  const tail = Buffer.alloc(8);
  tail.writeUInt32LE(sum, 0);
  tail.writeUInt32LE(length % 2 ** 32, 4);
  return [HEAD, ...parts, END, tail];
}
