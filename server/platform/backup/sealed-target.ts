import type { Seal } from "./seal.ts";
import { BackupError, type BackupTarget, OWNER } from "./target.ts";

/** So that nobody takes what is sealed for what its name says. */
const SEALED = ".sealed";

/** A target in another one, where everything but the name of the owner is encrypted. */
export class SealedTarget implements BackupTarget {
  readonly name: string;
  readonly seal: Seal;
  readonly #inner: BackupTarget;

  constructor(inner: BackupTarget, seal: Seal) {
    this.name = inner.name;
    this.seal = seal;
    this.#inner = inner;
  }

  prepare(): Promise<void> {
    return this.#inner.prepare();
  }

  async read(name: string): Promise<Buffer | undefined> {
    const bytes = await this.#inner.read(placeOf(name));
    if (bytes === undefined || name === OWNER) return bytes;
    const content = this.seal.open(name, bytes);
    if (content) return content;
    throw new BackupError(
      "backup-damaged",
      `${placeOf(name)} in ${this.name} is damaged, or was put there by somebody else.`,
    );
  }

  async write(name: string, bytes: Buffer): Promise<void> {
    await this.#inner.write(placeOf(name), name === OWNER ? bytes : this.seal.seal(name, bytes));
  }

  has(name: string): Promise<boolean> {
    return this.#inner.has(placeOf(name));
  }

  /** What others have put there is listed by its own name, and is not there for `read`. */
  async *list(folder: string): AsyncIterable<string> {
    for await (const place of this.#inner.list(folder))
      yield place.endsWith(SEALED) ? place.slice(0, -SEALED.length) : place;
  }

  delete(name: string): Promise<void> {
    return this.#inner.delete(placeOf(name));
  }

  deleteUnfinished(folder: string): Promise<void> {
    return this.#inner.deleteUnfinished(folder);
  }
}

function placeOf(name: string): string {
  return name === OWNER ? name : `${name}${SEALED}`;
}
