import type { FileStorage } from "../file-storage/file-storage.ts";
import { type KeptFile, listBackups, readList } from "./manifest.ts";
import type { PieceWriter } from "./pieces.ts";
import type { BackupTarget } from "./target.ts";

/**
 * Copies files to a target. A file never changes under its key, so those that an earlier backup has are
 * not read again.
 */
export class FileCopier {
  readonly #files: FileStorage;
  readonly #pieces: PieceWriter;
  readonly #earlier: ReadonlyMap<string, KeptFile>;
  readonly #copied = new Map<string, KeptFile>();

  private constructor(files: FileStorage, pieces: PieceWriter, earlier: ReadonlyMap<string, KeptFile>) {
    this.#files = files;
    this.#pieces = pieces;
    this.#earlier = earlier;
  }

  static async open(files: FileStorage, target: BackupTarget, pieces: PieceWriter): Promise<FileCopier> {
    const earlier = new Map<string, KeptFile>();
    const newest = (await listBackups(target)).at(-1);
    if (newest)
      for await (const file of readList<KeptFile>(target, newest.files)) earlier.set(file.key, file);
    return new FileCopier(files, pieces, earlier);
  }

  /** Copies what is there and was not copied yet. What was copied stays, even if it is deleted meanwhile. */
  async copyNew(): Promise<void> {
    for await (const { key, size } of this.#files.list()) {
      if (this.#copied.has(key)) continue;
      const earlier = this.#earlier.get(key);
      if (earlier?.size === size && (await this.#pieces.has(earlier.pieces))) this.#copied.set(key, earlier);
      else await this.#copy(key);
    }
  }

  get copied(): Iterable<KeptFile> {
    return this.#copied.values();
  }

  async #copy(key: string): Promise<void> {
    const opened = await this.#files.open(key);
    // It was deleted since it was listed.
    if (!opened) return;
    this.#copied.set(key, { key, size: opened.size, pieces: await this.#pieces.add(opened.stream) });
  }
}
