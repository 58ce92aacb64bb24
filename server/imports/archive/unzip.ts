/**
 * Reads zip files by their central directory. Sizes of entries are summed up before any is unpacked. An entry
 * that is larger than the directory says, or has another checksum, is an error.
 */
import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { join } from "node:path";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { crc32 } from "node:zlib";
import { type Entry, getFileNameLowLevel, openPromise, type ZipFile } from "yauzl";
import { ArchiveError } from "./archive-error.ts";
import { type Bounds, isLitter, NO_FILE } from "./bounds.ts";
import type { ArchiveFile } from "./unpack.ts";

const UNIX = 3;
const KIND_OF_FILE = 0o170000;
const REGULAR = 0o100000;
const STORED = 0;
const DEFLATED = 8;
const DAMAGED = "The archive is damaged or was cut off. Copy or export it again.";

interface Planned {
  entry: Entry;
  name: string;
}

/** Unpacks into an empty folder. Throws an ArchiveError for what can't be read. */
export async function unzip(
  path: string,
  folder: string,
  { bounds, signal }: { bounds: Bounds; signal: AbortSignal | undefined },
): Promise<{ digest: string; files: Map<string, ArchiveFile> }> {
  let zip: ZipFile | undefined;
  try {
    const hash = createHash("sha256");
    await pipeline(createReadStream(path), hash, { signal });
    // Names are decoded below: programs write UTF-8 without the flag that says so.
    zip = await openPromise(path, { autoClose: false, lazyEntries: true, decodeStrings: false });
    bounds.expect(zip.entryCount);
    const files = new Map<string, ArchiveFile>();
    for (const { entry, name } of await readDirectory(zip, bounds)) {
      signal?.throwIfAborted();
      const local = join(folder, String(files.size + 1));
      await unpackEntry(zip, entry, { local, signal });
      files.set(name, { size: entry.uncompressedSize, path: local });
    }
    return { digest: hash.digest("hex"), files };
  } catch (error) {
    throw explained(error, signal);
  } finally {
    zip?.close();
  }
}

async function readDirectory(zip: ZipFile, bounds: Bounds): Promise<Planned[]> {
  const planned: Planned[] = [];
  for await (const entry of zip.eachEntry()) {
    const name = nameOf(entry);
    if (name.endsWith("/") || isLitter(name)) continue;
    checkEntry(entry);
    planned.push({ entry, name: bounds.add(name, entry.uncompressedSize) });
  }
  return planned;
}

function nameOf({ fileNameRaw, generalPurposeBitFlag, extraFields }: Entry): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(fileNameRaw);
  } catch {
    return getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, true);
  }
}

function checkEntry(entry: Entry): void {
  const kind = entry.versionMadeBy >>> 8 === UNIX ? (entry.externalFileAttributes >>> 16) & KIND_OF_FILE : 0;
  if (kind !== 0 && kind !== REGULAR) throw new ArchiveError(NO_FILE);
  if (entry.isEncrypted()) {
    throw new ArchiveError("The archive is encrypted. Unpack it with its password, and pack it without one.");
  }
  if (entry.compressionMethod !== STORED && entry.compressionMethod !== DEFLATED) {
    throw new ArchiveError(
      `The archive is compressed by a method that is not known here (${entry.compressionMethod}). Pack it with Deflate.`,
    );
  }
}

async function unpackEntry(
  zip: ZipFile,
  entry: Entry,
  { local, signal }: { local: string; signal: AbortSignal | undefined },
): Promise<void> {
  let sum = 0;
  const summing = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      sum = crc32(chunk, sum);
      done(null, chunk);
    },
  });
  const reading = await zip.openReadStreamPromise(entry);
  await pipeline(reading, summing, createWriteStream(local, { flags: "wx", mode: 0o600 }), { signal });
  if (sum !== entry.crc32) throw new ArchiveError(DAMAGED);
}

function explained(error: unknown, signal: AbortSignal | undefined): unknown {
  if (signal?.aborted) return signal.reason;
  if (error instanceof ArchiveError) return error;
  const { code } = error as { code?: string };
  if (code === "ENOSPC") return new ArchiveError("There is no space left to unpack the archive.");
  // The package's errors have no code. Those of zlib begin with Z_, and the file system's are not about zips.
  return code === undefined || code.startsWith("Z_") ? new ArchiveError(DAMAGED) : error;
}
