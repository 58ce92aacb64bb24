import { access, mkdir, open, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import type { FoundFault } from "../faults/catalogue.ts";
import { errorCode } from "../postgres/start-error.ts";
import { BackupError, type BackupTarget } from "./target.ts";

const OWNER_ONLY_DIR = 0o700;
const OWNER_ONLY_FILE = 0o600;
/** The root of a disk has it, and only root may look into it. */
export const LOST_AND_FOUND = "lost+found";
/** What is being written. A process that was killed leaves it, and `list` passes over it. */
const UNFINISHED = ".part";

/** Backups in a directory, which only its owner can read. */
export class DirectoryTarget implements BackupTarget {
  readonly name: string;
  readonly #root: string;
  readonly #made = new Set<string>();

  constructor(root: string) {
    this.name = path.resolve(root);
    this.#root = this.name;
  }

  async prepare(): Promise<void> {
    try {
      await this.#makeFolder(this.#root);
      const probe = `probe-${process.pid}`;
      await this.write(probe, Buffer.from("parley"));
      await this.delete(probe);
    } catch (error) {
      throw new BackupError(...explain(this.#root, error), { cause: error });
    }
  }

  async read(name: string): Promise<Buffer | undefined> {
    return readFile(this.#pathOf(name)).catch(undefinedIfMissing);
  }

  async write(name: string, bytes: Buffer): Promise<void> {
    const place = this.#pathOf(name);
    const unfinished = `${place}${UNFINISHED}`;
    try {
      await this.#makeFolder(path.dirname(place));
      const file = await open(unfinished, "w", OWNER_ONLY_FILE);
      try {
        await file.writeFile(bytes);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(unfinished, place);
    } catch (error) {
      await rm(unfinished, { force: true }).catch(() => {});
      if (errorCode(error) === "ENOSPC" || errorCode(error) === "EDQUOT")
        throw new BackupError(...explain(this.#root, error), { cause: error });
      throw error;
    }
    await syncFolder(path.dirname(place));
  }

  async has(name: string): Promise<boolean> {
    return access(this.#pathOf(name)).then(
      () => true,
      () => false,
    );
  }

  async *list(folder: string): AsyncIterable<string> {
    for await (const name of this.#listAll(folder)) if (!name.endsWith(UNFINISHED)) yield name;
  }

  async delete(name: string): Promise<void> {
    await rm(this.#pathOf(name), { force: true });
  }

  async deleteUnfinished(folder: string): Promise<void> {
    for await (const name of this.#listAll(folder)) if (name.endsWith(UNFINISHED)) await this.delete(name);
  }

  async *#listAll(folder: string): AsyncIterable<string> {
    const entries = await readdir(this.#pathOf(folder), { withFileTypes: true }).catch(undefinedIfMissing);
    for (const entry of entries ?? []) {
      if (entry.name === LOST_AND_FOUND) continue;
      const name = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) yield* this.#listAll(name);
      else yield name;
    }
  }

  #pathOf(name: string): string {
    const place = path.resolve(this.#root, name);
    if (place !== this.#root && !place.startsWith(`${this.#root}${path.sep}`))
      throw new BackupError(
        "backup-damaged",
        `The backup in ${this.#root} names a place outside of it, so it is damaged.`,
      );
    return place;
  }

  /** A power cut must not lose the name of a new folder, so its parent is synced. */
  async #makeFolder(folder: string): Promise<void> {
    if (this.#made.has(folder)) return;
    if (!(await stat(folder).catch(undefinedIfMissing))?.isDirectory()) {
      await mkdir(folder, { recursive: true, mode: OWNER_ONLY_DIR });
      await syncFolder(path.dirname(folder));
    }
    this.#made.add(folder);
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  await handle.sync().finally(() => handle.close());
}

function undefinedIfMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code === "ENOENT") return undefined;
  throw error;
}

function explain(root: string, error: unknown): FoundFault {
  // It was explained further in, where more is known.
  if (error instanceof BackupError) return [error.fault, error.message];
  switch (errorCode(error)) {
    case "EACCES":
    case "EPERM":
      return [
        "backup-target",
        `${root} can't be written by this user (id ${process.getuid?.()}). Change its owner, or name another target.`,
      ];
    case "EROFS":
      return ["backup-target", `${root} is on a read-only file system. Name another target.`];
    case "ENOTDIR":
    case "EEXIST":
      return [
        "backup-target",
        `${root} is not a directory, or below something that is none. Name another target.`,
      ];
    case "ENOSPC":
    case "EDQUOT":
      return [
        "disk-full",
        `The disk of ${root} is full. What is there from earlier backups is whole. Free some space, then try again.`,
      ];
    default:
      return ["backup-target", `${root} can't be used for backups: ${(error as Error).message}.`];
  }
}
