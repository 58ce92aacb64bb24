import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { access, lstat, mkdir, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";

const OWNER_ONLY_DIR = 0o700;
const DAY_MS = 24 * 3600 * 1000;
/** Longer than the rest of a file can follow. Rows say earlier what is to be deleted. */
const PARTIAL_DAYS = 2;
const PARTIAL_NAME = /^[A-Za-z0-9_-]{16,64}$/;

/** Local files that are still being written, in a directory of their own. */
export class TemporaryFiles {
  readonly #dir: string;
  /** What arrives in several requests. */
  readonly #partialDir: string;
  readonly #makeDirectory: (dir: string) => Promise<unknown>;

  /** `makeDirectory`: how a directory is made where files are about to be written. */
  constructor(
    dir: string,
    makeDirectory: (dir: string) => Promise<unknown> = (made) =>
      mkdir(made, { recursive: true, mode: OWNER_ONLY_DIR }),
  ) {
    this.#dir = dir;
    this.#makeDirectory = makeDirectory;
    this.#partialDir = join(dir, "partial");
  }

  /** Creates the directory, and deletes files that a crash left days ago. Throws if it can't be written. */
  async prepare(): Promise<void> {
    await this.#makeDirectory(this.#dir);
    await access(this.#dir, constants.W_OK | constants.X_OK);
    await deleteOld(this.#dir, DAY_MS);
    await deleteOld(this.#partialDir, PARTIAL_DAYS * DAY_MS);
  }

  async newPath(): Promise<string> {
    await this.#makeDirectory(this.#dir);
    return join(this.#dir, randomUUID());
  }

  /** The file of this name, which outlives a restart. */
  async partialPath(name: string): Promise<string> {
    if (!PARTIAL_NAME.test(name)) throw new Error("a partial file has a name of a wrong form");
    await this.#makeDirectory(this.#partialDir);
    return join(this.#partialDir, name);
  }
}

/**
 * Younger files may still be written by some node. The storage makes no links: who may write there could
 * lead this process to files of others, which it would delete.
 */
async function deleteOld(dir: string, ageMs: number): Promise<void> {
  if (!(await lstat(dir).catch(undefinedIfMissing))?.isDirectory()) return;
  const before = Date.now() - ageMs;
  for (const name of (await readdir(dir).catch(undefinedIfMissing)) ?? []) {
    const path = join(dir, name);
    const found = await stat(path).catch(undefinedIfMissing);
    if (found?.isFile() && found.mtimeMs < before) await rm(path, { force: true });
  }
}

export function undefinedIfMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code === "ENOENT" || error.code === "ENOTDIR") return undefined;
  throw error;
}
