/**
 * The archived log of PostgreSQL: chunks of consecutive bytes, each under the locations where it begins
 * and ends. A stream is what one replication slot has sent, so it belongs to one timeline of one cluster.
 * A restored database begins another stream.
 */
import { type FileHandle, open } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import { BackupError, type BackupTarget } from "./target.ts";

const FOLDER = "log";
const SEGMENT_BYTES = 16n * 1024n * 1024n;
const FASTEST = 1;

const compress = promisify(gzip);
const decompress = promisify(gunzip);

export interface LogChunk {
  stream: string;
  start: bigint;
  end: bigint;
}

/** Reads a location such as 0/2000120. */
export function parseLocation(text: string): bigint {
  const [high = "", low = ""] = text.split("/");
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`);
}

export function formatLocation(location: bigint): string {
  const half = (value: bigint) => value.toString(16).toUpperCase();
  return `${half(location >> 32n)}/${half(location & 0xffffffffn)}`;
}

export async function writeChunk(
  target: BackupTarget,
  stream: string,
  start: bigint,
  bytes: Buffer,
): Promise<LogChunk> {
  const chunk = { stream, start, end: start + BigInt(bytes.length) };
  await target.write(placeOf(chunk), await compress(bytes, { level: FASTEST }));
  return chunk;
}

/** The chunks of a stream in the order of the log. Some may overlap. */
export async function listChunks(target: BackupTarget, stream: string): Promise<LogChunk[]> {
  const found: LogChunk[] = [];
  for await (const place of target.list(`${FOLDER}/${stream}`)) {
    const [, start, end] = /([0-9a-f]{16})-([0-9a-f]{16})\.gz$/.exec(place) ?? [];
    if (start && end) found.push({ stream, start: BigInt(`0x${start}`), end: BigInt(`0x${end}`) });
  }
  return found.sort((a, b) => (a.start < b.start ? -1 : a.start > b.start ? 1 : 0));
}

/** Deletes what an archive that was killed had begun to write. */
export async function deleteUnfinishedChunks(target: BackupTarget, stream: string): Promise<void> {
  await target.deleteUnfinished(`${FOLDER}/${stream}`);
}

export async function deleteChunk(target: BackupTarget, chunk: LogChunk): Promise<void> {
  await target.delete(placeOf(chunk));
}

/** All streams in a target. */
export async function listStreams(target: BackupTarget): Promise<Set<string>> {
  const streams = new Set<string>();
  for await (const place of target.list(FOLDER)) {
    const [, stream] = place.split("/");
    if (stream !== undefined) streams.add(stream);
  }
  return streams;
}

/** Everything that was committed before the moment is in the stream, which goes to the location at least. */
export interface ArchivedUntil {
  at: Date;
  location: bigint;
}

export async function writeUntil(
  target: BackupTarget,
  stream: string,
  { at, location }: ArchivedUntil,
): Promise<void> {
  await target.write(untilOf(stream), Buffer.from(`${at.toISOString()} ${formatLocation(location)}\n`));
}

/** undefined: nothing was ever archived. */
export async function readUntil(target: BackupTarget, stream: string): Promise<ArchivedUntil | undefined> {
  const text = (await target.read(untilOf(stream)))?.toString("utf8").trim() ?? "";
  const [, at = "", location = ""] = /^(\S+) ([0-9A-F]+\/[0-9A-F]+)$/.exec(text) ?? [];
  return Number.isNaN(Date.parse(at)) ? undefined : { at: new Date(at), location: parseLocation(location) };
}

export async function deleteUntil(target: BackupTarget, stream: string): Promise<void> {
  await target.delete(untilOf(stream));
}

/**
 * Writes the log from `from` on into the directory of a cluster, up to its end or its first gap. What the
 * base backup has brought of it is continued. Returns where it ends.
 */
export async function writeSegments(
  target: BackupTarget,
  place: { stream: string; timeline: number; from: bigint; logDir: string },
): Promise<bigint> {
  let covered = place.from;
  const segments = new SegmentWriter(place.logDir, place.timeline);
  try {
    for (const chunk of await listChunks(target, place.stream)) {
      if (chunk.end <= covered) continue;
      if (chunk.start > covered) break;
      await segments.write(chunk.start, await readChunk(target, chunk));
      covered = chunk.end;
    }
  } finally {
    await segments.close();
  }
  return covered;
}

async function readChunk(target: BackupTarget, chunk: LogChunk): Promise<Buffer> {
  const place = placeOf(chunk);
  const bytes = await target.read(place);
  const content = bytes && (await decompress(bytes).catch(() => undefined));
  if (content && BigInt(content.length) === chunk.end - chunk.start) return content;
  throw new BackupError(
    "backup-damaged",
    `${place} in ${target.name} is damaged, so the log can't be followed past it.`,
  );
}

/** Keeps one segment open. */
class SegmentWriter {
  readonly #dir: string;
  readonly #timeline: number;
  #number: bigint | undefined;
  #file: FileHandle | undefined;

  constructor(dir: string, timeline: number) {
    this.#dir = dir;
    this.#timeline = timeline;
  }

  async write(start: bigint, bytes: Buffer): Promise<void> {
    for (let done = 0; done < bytes.length; ) {
      const location = start + BigInt(done);
      const offset = Number(location % SEGMENT_BYTES);
      const length = Math.min(bytes.length - done, Number(SEGMENT_BYTES) - offset);
      const file = await this.#open(location / SEGMENT_BYTES);
      await file.write(bytes, done, length, offset);
      done += length;
    }
  }

  async close(): Promise<void> {
    await this.#file?.sync();
    await this.#file?.close();
    this.#file = undefined;
  }

  async #open(number: bigint): Promise<FileHandle> {
    if (this.#file && this.#number === number) return this.#file;
    await this.close();
    const name = path.join(this.#dir, segmentName(this.#timeline, number));
    const file = await open(name, "r+").catch(() => open(name, "w+", 0o600));
    await file.truncate(Number(SEGMENT_BYTES));
    this.#number = number;
    this.#file = file;
    return file;
  }
}

function segmentName(timeline: number, number: bigint): string {
  const perFile = 0x1_0000_0000n / SEGMENT_BYTES;
  return [BigInt(timeline), number / perFile, number % perFile]
    .map((part) => part.toString(16).toUpperCase().padStart(8, "0"))
    .join("");
}

function placeOf({ stream, start, end }: LogChunk): string {
  const [from, to] = [start, end].map((location) => location.toString(16).padStart(16, "0"));
  return `${FOLDER}/${stream}/${from?.slice(0, 8)}/${from}-${to}.gz`;
}

function untilOf(stream: string): string {
  return `${FOLDER}/${stream}/until`;
}
