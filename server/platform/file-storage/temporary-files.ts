import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { access, mkdir, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";

const OWNER_ONLY_DIR = 0o700;
const DAY_MS = 24 * 3600 * 1000;

/** Local files that are still being written, in a directory of their own. */
export class TemporaryFiles {
  readonly #dir: string;

  constructor(dir: string) {
    this.#dir = dir;
  }

  /**
   * Creates the directory, and deletes files that a crash left a day ago or earlier. Throws if it can't be
   * written.
   */
  async prepare(): Promise<void> {
    await mkdir(this.#dir, { recursive: true, mode: OWNER_ONLY_DIR });
    await access(this.#dir, constants.W_OK | constants.X_OK);
    await this.#deleteOld();
  }

  async newPath(): Promise<string> {
    await mkdir(this.#dir, { recursive: true, mode: OWNER_ONLY_DIR });
    return join(this.#dir, randomUUID());
  }

  /** Younger files may still be written by some node. */
  async #deleteOld(): Promise<void> {
    const before = Date.now() - DAY_MS;
    for (const name of (await readdir(this.#dir).catch(undefinedIfMissing)) ?? []) {
      const path = join(this.#dir, name);
      const found = await stat(path).catch(undefinedIfMissing);
      if (found && found.mtimeMs < before) await rm(path, { recursive: true, force: true });
    }
  }
}

export function undefinedIfMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code === "ENOENT" || error.code === "ENOTDIR") return undefined;
  throw error;
}
