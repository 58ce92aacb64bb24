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

export interface ArchiveLimits {
  entries: number;
  /** Unpacked bytes that are fine whatever the archive's size. */
  bytes: number;
  /** Beyond `bytes`, how many times larger than the archive it may unpack to. */
  ratio: number;
}

export const archiveLimits: ArchiveLimits = { entries: 2_000_000, bytes: 2 * 1024 ** 3, ratio: 50 };

const MAX_NAME = 1000;
/** What programs of desktops add. */
const LITTER = /(^|\/)(__MACOSX\/|\.DS_Store$|\._[^/]*$|Thumbs\.db$)/;

type Format = "gzip" | "tar" | "zip" | undefined;

/** Unpacks into an empty folder. Throws an ArchiveError for what can't be read. */
export async function unpack(
  path: string,
  folder: string,
  { limits = archiveLimits, signal }: { limits?: ArchiveLimits; signal?: AbortSignal } = {},
): Promise<Archive> {
  const { format, size } = await lookAt(path);
  if (format === "zip") {
    throw new ArchiveError(
      "This is a zip file. Exports of Zulip are .tar.gz files; exports of other chats can't be imported yet.",
    );
  }
  if (format === undefined) {
    throw new ArchiveError(
      "This file is no archive that can be imported: neither a .tar.gz nor a .tar file.",
    );
  }
  const most = Math.max(limits.bytes, size * limits.ratio);
  const hash = createHash("sha256");
  const hashing = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      done(null, chunk);
    },
  });
  const tar = extract();
  const inflate = format === "gzip" ? createGunzip() : new PassThrough();
  const reading = pipeline(createReadStream(path), hashing, inflate, tar, { signal });
  // The loop below gets the same failure.
  reading.catch(() => {});
  const files = new Map<string, ArchiveFile>();
  let bytes = 0;
  try {
    for await (const entry of tar) {
      const { name, size: entrySize, type } = entry.header;
      if (type === "directory" || LITTER.test(name)) {
        entry.resume();
        continue;
      }
      checkEntry(name, type);
      bytes += entrySize;
      if (bytes > most) throw new ArchiveError(tooLarge(most));
      if (files.size >= limits.entries) {
        throw new ArchiveError(`The archive has more than ${limits.entries} files.`);
      }
      const local = join(folder, String(files.size + 1));
      await pipeline(entry as Readable, createWriteStream(local, { flags: "wx", mode: 0o600 }));
      files.set(name.normalize("NFC").replace(/^\.\//, ""), { size: entrySize, path: local });
    }
    await reading;
  } catch (error) {
    tar.destroy();
    throw explained(error, signal);
  }
  if (files.size === 0) throw new ArchiveError("The archive is empty.");
  return { digest: hash.digest("hex"), files: withoutFolder(files) };
}

async function lookAt(path: string): Promise<{ format: Format; size: number }> {
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
    if (found.isDirectory()) {
      throw new ArchiveError(`${path} is a folder. Give the archive as it was exported.`);
    }
    const head = Buffer.alloc(262);
    const { bytesRead } = await file.read(head, 0, head.length, 0);
    return { format: formatOf(head.subarray(0, bytesRead)), size: found.size };
  } finally {
    await file.close();
  }
}

function formatOf(head: Buffer): Format {
  if (head.length === 0) throw new ArchiveError("The file is empty.");
  if (head[0] === 0x1f && head[1] === 0x8b) return "gzip";
  if (head.subarray(0, 4).equals(Buffer.from("PK\u0003\u0004", "latin1"))) return "zip";
  if (head.subarray(257, 262).toString("latin1") === "ustar") return "tar";
  return undefined;
}

function checkEntry(name: string, type: string | undefined): void {
  const isBad =
    name.startsWith("/") ||
    /(^|[/\\])\.\.([/\\]|$)/.test(name) ||
    /[\0\\]/.test(name) ||
    /^[A-Za-z]:/.test(name);
  if (isBad)
    throw new ArchiveError("The archive has a file whose name leads out of its folder. It is refused.");
  if (name.length > MAX_NAME) throw new ArchiveError("The archive has a file whose name is too long.");
  if (type !== "file" && type !== "contiguous-file") {
    throw new ArchiveError("The archive has a link or a device in it. It is refused.");
  }
}

function tooLarge(bytes: number): string {
  return `The archive unpacks to more than ${Math.round(bytes / 1024 ** 2)} MiB, far more than an export of its size does. It is refused.`;
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
