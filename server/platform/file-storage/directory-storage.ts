import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { access, chmod, mkdir, open, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { pipeline } from "node:stream/promises";
import { ConfigError } from "../../setting-values.ts";
import {
  type ByteRange,
  checkKey,
  type FileSource,
  type FileStorage,
  FilesElsewhere,
  isEmpty,
  isKey,
  type OpenedFile,
  StorageAway,
  type StoredFile,
} from "./file-storage.ts";
import { type FilesMark, MARK_NAME, PlaceMark } from "./place-mark.ts";
import { TemporaryFiles, undefinedIfMissing } from "./temporary-files.ts";

const OWNER_ONLY_FILE = 0o600;
const OWNER_ONLY_DIR = 0o700;
/** A disk that is gone, read-only or of another user has these. It may be put right while the server runs. */
const AWAY_CODES = [
  "EACCES",
  "EHOSTDOWN",
  "EIO",
  "ENOENT",
  "ENOTCONN",
  "ENOTDIR",
  "EPERM",
  "EROFS",
  "ESTALE",
];
/** No key begins with a dot. */
export const TEMPORARY_DIR = ".temporary";

/** Files in a directory, each under its key. Several nodes can share it, over NFS for example. */
export class DirectoryStorage implements FileStorage {
  readonly mark: PlaceMark;
  readonly #root: string;
  readonly #temporary: TemporaryFiles;

  constructor(root: string) {
    this.#root = root;
    // Inside the root, so that a finished file is moved into its place at once.
    this.#temporary = new TemporaryFiles(join(root, TEMPORARY_DIR), (dir) => this.#makeDirectory(dir));
    const path = join(root, MARK_NAME);
    this.mark = new PlaceMark({
      name: root,
      read: () => readFile(path, "utf8").catch(undefinedIfMissing),
      write: (text) => this.#writeMark(path, text),
      isEmpty: () => isEmpty(this.#list()),
    });
  }

  expectMark(mark: FilesMark): void {
    this.mark.expect(mark);
  }

  async prepare(): Promise<void> {
    try {
      // Before anything is made in a place that may be a mount point.
      await this.#requireMark();
      await this.#temporary.prepare();
    } catch (error) {
      const { code, syscall } = error as NodeJS.ErrnoException;
      if (syscall === undefined) throw error;
      throw new ConfigError(
        "files-unwritable",
        `The directory for files, ${this.#root}, can't be written (${code}). Change its owner, or name another one in PARLEY_FILES.`,
      );
    }
  }

  async check(): Promise<string | undefined> {
    try {
      const problem = await this.mark.problem();
      if (problem === undefined) await access(this.#root, constants.R_OK | constants.W_OK | constants.X_OK);
      return problem;
    } catch (error) {
      const { code, syscall } = error as NodeJS.ErrnoException;
      if (syscall === undefined) throw error;
      return this.#unusable(code);
    }
  }

  temporaryPath(): Promise<string> {
    return this.#whileThere(async () => {
      await this.#requireMark();
      return this.#temporary.newPath();
    });
  }

  partialPath(name: string): Promise<string> {
    return this.#whileThere(async () => {
      await this.#requireMark();
      return this.#temporary.partialPath(name);
    });
  }

  async put(key: string, source: FileSource): Promise<void> {
    const path = this.#pathOf(key);
    await this.#whileThere(() => this.#put(path, source));
  }

  async #put(path: string, source: FileSource): Promise<void> {
    const written = "path" in source ? source.path : await this.temporaryPath();
    try {
      await this.#requireMark();
      if ("bytes" in source) await writeWhole(written, source.bytes);
      else await syncFile(written);
      await this.#makeDirectory(dirname(path));
      await rename(written, path).catch((error) => this.#copy(error, written, path));
    } catch (error) {
      await rm(written, { force: true });
      throw error;
    }
    await this.#syncParents(path);
  }

  async open(key: string, range?: ByteRange): Promise<OpenedFile | undefined> {
    const file = await open(this.#pathOf(key), "r").catch(undefinedIfMissing);
    if (!file) return this.#missing();
    try {
      const { size } = await file.stat();
      const stream = file.createReadStream(range && { start: range.first, end: range.last });
      return { size, stream };
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  async size(key: string): Promise<number | undefined> {
    return (await stat(this.#pathOf(key)).catch(undefinedIfMissing))?.size ?? this.#missing();
  }

  async delete(key: string): Promise<void> {
    const path = this.#pathOf(key);
    await this.#whileThere(async () => {
      await this.#requireMark();
      await rm(path, { force: true });
    });
  }

  async *list(): AsyncGenerator<StoredFile> {
    await this.#requireMark();
    yield* this.#list();
  }

  async *#list(folder = ""): AsyncGenerator<StoredFile> {
    const entries = await readdir(join(this.#root, folder), { withFileTypes: true }).catch(
      undefinedIfMissing,
    );
    for (const entry of entries ?? []) {
      // What is unfinished lies in a folder with a dot.
      if (entry.name.startsWith(".")) continue;
      const name = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) yield* this.#list(name);
      else if (isKey(name)) {
        const found = await stat(join(this.#root, name)).catch(undefinedIfMissing);
        if (found) yield { key: name, size: found.size };
      }
    }
  }

  /** A file that is missing in another place than its own may well be there. */
  async #missing(): Promise<undefined> {
    await this.#requireMark();
    return undefined;
  }

  /** What a disk that is away or read-only does is a StorageAway. */
  async #whileThere<T>(act: () => Promise<T>): Promise<T> {
    try {
      return await act();
    } catch (error) {
      const { code = "" } = error as NodeJS.ErrnoException;
      if (!AWAY_CODES.includes(code)) throw error;
      throw new StorageAway("files-unwritable", this.#unusable(code), { cause: error });
    }
  }

  #unusable(code: string | undefined): string {
    return `The directory for files, ${this.#root}, can't be used (${code}). Is its disk there, and does it belong to this user?`;
  }

  async #requireMark(): Promise<void> {
    const problem = await this.mark.problem();
    if (problem !== undefined) throw new FilesElsewhere(problem);
  }

  /**
   * Makes a directory below the root, but not the root itself: it may have gone since its mark was read. A
   * new one in its place would be in the way when it comes back.
   */
  async #makeDirectory(dir: string): Promise<void> {
    if (!this.mark.isExpected) await mkdir(this.#root, { recursive: true, mode: OWNER_ONLY_DIR });
    let made = this.#root;
    for (const name of relative(this.#root, dir).split(sep)) {
      made = join(made, name);
      await mkdir(made, { mode: OWNER_ONLY_DIR }).catch(async (error) => {
        if (error.code !== "EEXIST" || !(await stat(made)).isDirectory()) throw error;
      });
    }
  }

  /** Whole or not at all, whatever other nodes write. */
  async #writeMark(path: string, text: string): Promise<void> {
    await mkdir(this.#root, { recursive: true, mode: OWNER_ONLY_DIR });
    const written = `${path}.${randomUUID()}`;
    try {
      await writeWhole(written, Buffer.from(text));
      await rename(written, path);
    } finally {
      await rm(written, { force: true });
    }
    await this.#syncParents(path);
  }

  #pathOf(key: string): string {
    checkKey(key);
    return join(this.#root, key);
  }

  /** A file that was written on another disk can't be moved. */
  async #copy(error: NodeJS.ErrnoException, written: string, path: string): Promise<void> {
    if (error.code !== "EXDEV") throw error;
    const copy = await this.temporaryPath();
    try {
      const [from, to] = [await open(written, "r"), await open(copy, "wx", OWNER_ONLY_FILE)];
      await pipeline(from.createReadStream(), to.createWriteStream());
      await syncFile(copy);
      await rename(copy, path);
    } finally {
      await rm(copy, { force: true });
    }
    await rm(written, { force: true });
  }

  /** Directories too: a power cut must not lose the name of a file, nor of a new directory. */
  async #syncParents(path: string): Promise<void> {
    for (let dir = dirname(path); dir.length >= this.#root.length; dir = dirname(dir)) {
      const handle = await open(dir, "r");
      await handle.sync().finally(() => handle.close());
    }
  }
}

async function writeWhole(path: string, bytes: Buffer): Promise<void> {
  const file = await open(path, "wx", OWNER_ONLY_FILE);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function syncFile(path: string): Promise<void> {
  await chmod(path, OWNER_ONLY_FILE);
  const file = await open(path, "r+");
  await file.sync().finally(() => file.close());
}
