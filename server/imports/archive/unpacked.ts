/**
 * An export that lies unpacked: a folder, or its one file of records. Nothing is copied, so the sizes don't
 * matter; names and links are refused as in an archive.
 */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { pipeline } from "node:stream/promises";
import { ArchiveError } from "./archive-error.ts";
import { type ArchiveLimits, Bounds, isLitter, NO_FILE } from "./bounds.ts";
import type { ArchiveFile } from "./unpack.ts";

interface Unpacked {
  digest: string;
  files: Map<string, ArchiveFile>;
}

interface Options {
  limits: ArchiveLimits;
  signal: AbortSignal | undefined;
}

/** Throws an ArchiveError for a link, a file that can't be read, or more files than an archive may have. */
export async function readFolder(path: string, options: Options): Promise<Unpacked> {
  try {
    return await readFiles(path, options);
  } catch (error) {
    const { code, path: at } = error as { code?: string; path?: string };
    throw code === "EACCES" ? new ArchiveError(`${at ?? path} can't be read by this user.`) : error;
  }
}

async function readFiles(path: string, { limits, signal }: Options): Promise<Unpacked> {
  const bounds = new Bounds({ ...limits, bytes: Number.POSITIVE_INFINITY }, 0);
  const files = new Map<string, ArchiveFile>();
  const folders = [path];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const entry of await readdir(folder, { withFileTypes: true })) {
      signal?.throwIfAborted();
      const local = join(folder, entry.name);
      const name = relative(path, local).split(sep).join("/");
      if (isLitter(name)) continue;
      if (entry.isDirectory()) {
        folders.push(local);
        continue;
      }
      if (!entry.isFile()) throw new ArchiveError(NO_FILE);
      const { size } = await stat(local);
      files.set(bounds.add(name, size), { size, path: local });
    }
  }
  // In one order, whatever that of the file system is: the digest tells whether it is the same export.
  const sorted = new Map([...files].sort(([a], [b]) => (a < b ? -1 : 1)));
  const hash = createHash("sha256");
  for (const [name, file] of sorted) hash.update(`${name}\0${await digestOf(file.path, signal)}\0`);
  return { digest: hash.digest("hex"), files: sorted };
}

/** A file of records alone, under the name that it has in an archive. */
export async function readAlone(
  path: string,
  name: string,
  size: number,
  signal: AbortSignal | undefined,
): Promise<Unpacked> {
  return { digest: await digestOf(path, signal), files: new Map([[name, { size, path }]]) };
}

async function digestOf(path: string, signal: AbortSignal | undefined): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash, { signal });
  return hash.digest("hex");
}
