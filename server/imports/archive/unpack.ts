/**
 * Reads an archive that somebody gives. Nothing in it is trusted: a name never becomes a path here, and what
 * it unpacks to is bounded. Each file goes to a folder of this run under a number, so readers can open them
 * in any order.
 */
import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { PassThrough, type Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { extract } from "tar-stream";
import { ArchiveError } from "./archive-error.ts";
import { type ArchiveLimits, archiveLimits, Bounds, isLitter, NO_FILE } from "./bounds.ts";
import { readAlone, readFolder } from "./unpacked.ts";
import { unzip } from "./unzip.ts";

export interface ArchiveFile {
  size: number;
  /** Where the local copy lies. */
  path: string;
}

export interface Archive {
  /** The SHA-256 of the archive, in hexadecimal. */
  digest: string;
  /** By name, without a folder that all are in. */
  files: ReadonlyMap<string, ArchiveFile>;
}

const START_OF_OBJECT = /^\ufeff?\s*\{/;

type Format = "folder" | "gzip" | "tar" | "zip" | undefined;

export interface UnpackOptions {
  limits?: ArchiveLimits;
  signal?: AbortSignal | undefined;
  /**
   * For exports that may come unpacked, as a folder or as one file of JSON: what that file is called in an
   * archive.
   */
  unpackedName?: string | undefined;
}

/** Unpacks into an empty folder. Throws an ArchiveError for what can't be read. */
export async function unpack(
  path: string,
  folder: string,
  { limits = archiveLimits, signal, unpackedName }: UnpackOptions = {},
): Promise<Archive> {
  const { format, size, isJson } = await lookAt(path, unpackedName !== undefined);
  if (unpackedName !== undefined && isJson) return readAlone(path, unpackedName, size, signal);
  if (format === "folder") {
    const { digest, files } = await readFolder(path, { limits, signal });
    if (files.size === 0) throw new ArchiveError("The folder is empty.");
    return { digest, files: withoutFolder(files) };
  }
  if (format === undefined) {
    throw new ArchiveError(
      "This file is no archive that can be imported: neither a .zip nor a .tar.gz nor a .tar file.",
    );
  }
  const bounds = new Bounds(limits, size);
  const { digest, files } =
    format === "zip"
      ? await unzip(path, folder, { bounds, signal })
      : await untar(path, folder, { bounds, signal, isGzip: format === "gzip" });
  if (files.size === 0) throw new ArchiveError("The archive is empty.");
  return { digest, files: withoutFolder(files) };
}

async function untar(
  path: string,
  folder: string,
  { bounds, signal, isGzip }: { bounds: Bounds; signal: AbortSignal | undefined; isGzip: boolean },
): Promise<{ digest: string; files: Map<string, ArchiveFile> }> {
  const hash = createHash("sha256");
  const hashing = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      done(null, chunk);
    },
  });
  const tar = extract();
  const inflate = isGzip ? createGunzip() : new PassThrough();
  const reading = pipeline(createReadStream(path), hashing, inflate, tar, { signal });
  // The loop below gets the same failure.
  reading.catch(() => {});
  const files = new Map<string, ArchiveFile>();
  try {
    for await (const entry of tar) {
      const { name, size, type } = entry.header;
      if (type === "directory" || isLitter(name)) {
        entry.resume();
        continue;
      }
      const key = bounds.add(name, size);
      if (type !== "file" && type !== "contiguous-file") throw new ArchiveError(NO_FILE);
      const local = join(folder, String(files.size + 1));
      await pipeline(entry as Readable, createWriteStream(local, { flags: "wx", mode: 0o600 }));
      files.set(key, { size, path: local });
    }
    await reading;
  } catch (error) {
    tar.destroy();
    throw explained(error, signal);
  }
  return { digest: hash.digest("hex"), files };
}

async function lookAt(
  path: string,
  mayBeUnpacked: boolean,
): Promise<{ format: Format; size: number; isJson: boolean }> {
  let file: Awaited<ReturnType<typeof open>>;
  try {
    file = await open(path, "r");
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === "ENOENT") throw new ArchiveError(`There is no file ${path}.`);
    if (code === "EACCES") throw new ArchiveError(`${path} can't be read by this user.`);
    throw error;
  }
  try {
    const found = await file.stat();
    if (found.isDirectory() && mayBeUnpacked) return { format: "folder", size: 0, isJson: false };
    if (found.isDirectory()) {
      throw new ArchiveError(`${path} is a folder. Give the archive as it was exported.`);
    }
    const head = Buffer.alloc(262);
    const { bytesRead } = await file.read(head, 0, head.length, 0);
    const bytes = head.subarray(0, bytesRead);
    return {
      format: formatOf(bytes),
      size: found.size,
      isJson: START_OF_OBJECT.test(bytes.toString("utf8")),
    };
  } finally {
    await file.close();
  }
}

function formatOf(head: Buffer): Format {
  if (head.length === 0) throw new ArchiveError("The file is empty.");
  if (head[0] === 0x1f && head[1] === 0x8b) return "gzip";
  const magic = head.subarray(0, 4).toString("latin1");
  // The second is that of a zip file without entries.
  if (magic === "PK\u0003\u0004" || magic === "PK\u0005\u0006") return "zip";
  if (head.subarray(257, 262).toString("latin1") === "ustar") return "tar";
  return undefined;
}

function explained(error: unknown, signal: AbortSignal | undefined): unknown {
  if (signal?.aborted) return signal.reason;
  if (error instanceof ArchiveError) return error;
  const { code, message } = error as { code?: string; message?: string };
  if (code === "ENOSPC") return new ArchiveError("There is no space left to unpack the archive.");
  const isTorn =
    /^Z_/.test(code ?? "") || /unexpected end|Invalid tar header|premature close/i.test(message ?? "");
  if (!isTorn) return error;
  return new ArchiveError("The archive is damaged or was cut off. Copy or export it again.");
}

/** Exports have one folder around all files, or people add one. */
function withoutFolder(files: Map<string, ArchiveFile>): Map<string, ArchiveFile> {
  const [first = ""] = files.keys();
  const folder = first.slice(0, first.indexOf("/") + 1);
  if (folder === "" || ![...files.keys()].every((name) => name.startsWith(folder))) return files;
  return new Map([...files].map(([name, file]) => [name.slice(folder.length), file]));
}
