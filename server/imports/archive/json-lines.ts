/** Reads a file with a JSON object on each line, one at a time. It needs the memory of its longest line. */
import { createReadStream } from "node:fs";
import { ArchiveError } from "./archive-error.ts";
import { isRow, type Row } from "./row.ts";

const MAX_LINE_BYTES = 64 * 1024 * 1024;
const NEWLINE = 0x0a;
const BYTE_ORDER_MARK = /^\ufeff/;

export interface JsonLine {
  /** From 1. */
  number: number;
  row: Row;
}

/** `name`: of the file, for messages. Throws an ArchiveError that has the number of a line that is none. */
export async function* readJsonLines(path: string, name: string): AsyncGenerator<JsonLine> {
  let kept: Buffer[] = [];
  let keptBytes = 0;
  let number = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 })) {
    const bytes = chunk as Buffer;
    let start = 0;
    for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, start)) {
      const part = bytes.subarray(start, end);
      const row = parse(kept.length > 0 ? Buffer.concat([...kept, part]) : part, ++number, name);
      kept = [];
      keptBytes = 0;
      start = end + 1;
      if (row) yield { number, row };
    }
    // A copy: the stream uses its memory again.
    if (start < bytes.length) kept.push(Buffer.from(bytes.subarray(start)));
    keptBytes += bytes.length - start;
    if (keptBytes > MAX_LINE_BYTES) {
      throw new ArchiveError(`${name} has a line of more than ${MAX_LINE_BYTES / 1024 ** 2} MiB.`);
    }
  }
  if (keptBytes === 0) return;
  let row: Row | undefined;
  try {
    row = parse(Buffer.concat(kept), ++number, name);
  } catch {
    throw new ArchiveError(`${name} ends in the middle: the archive was cut off, or its export failed.`);
  }
  if (row) yield { number, row };
}

/** undefined: an empty line. */
function parse(bytes: Buffer, number: number, name: string): Row | undefined {
  const text = bytes.toString("utf8").replace(BYTE_ORDER_MARK, "");
  if (text.trim() === "") return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new ArchiveError(`${name} is no valid JSON in line ${number}.`);
  }
  if (!isRow(value)) throw new ArchiveError(`${name} has no record in line ${number}.`);
  return value;
}
