import { ArchiveError } from "./archive-error.ts";

export interface ArchiveLimits {
  entries: number;
  /** Unpacked bytes that are fine whatever the archive's size. */
  bytes: number;
  /** Beyond `bytes`, how many times larger than the archive it may unpack to. */
  ratio: number;
}

export const archiveLimits: ArchiveLimits = { entries: 2_000_000, bytes: 2 * 1024 ** 3, ratio: 50 };

export const NO_FILE = "The archive has a link or a device in it. It is refused.";

const MAX_NAME = 1000;
/** What programs of desktops add. */
const LITTER = /(^|\/)(__MACOSX\/|\.DS_Store$|\._[^/]*$|Thumbs\.db$)/;

export function isLitter(name: string): boolean {
  return LITTER.test(name);
}

/** The same for all kinds of archives. Throws an ArchiveError for what passes them. */
export class Bounds {
  readonly #limits: ArchiveLimits;
  readonly #bytesAtMost: number;
  readonly #names = new Set<string>();
  #bytes = 0;

  /** `size`: of the archive. */
  constructor(limits: ArchiveLimits, size: number) {
    this.#limits = limits;
    this.#bytesAtMost = Math.max(limits.bytes, size * limits.ratio);
  }

  /** Before a directory of entries is read. */
  expect(entries: number): void {
    if (entries > this.#limits.entries) throw tooMany(this.#limits.entries);
  }

  /** To be asked before the file is written. Returns the name by which readers find it. */
  add(name: string, size: number): string {
    checkName(name);
    this.#bytes += size;
    if (this.#bytes > this.#bytesAtMost) throw tooLarge(this.#bytesAtMost);
    if (this.#names.size >= this.#limits.entries) throw tooMany(this.#limits.entries);
    const key = name.normalize("NFC").replace(/^(?:\.\/)+/, "");
    if (this.#names.has(key)) {
      throw new ArchiveError("The archive has two files of the same name. It is refused.");
    }
    this.#names.add(key);
    return key;
  }
}

function checkName(name: string): void {
  const isBad =
    name.startsWith("/") ||
    /(^|[/\\])\.\.([/\\]|$)/.test(name) ||
    /[\0\\]/.test(name) ||
    /^[A-Za-z]:/.test(name);
  if (isBad)
    throw new ArchiveError("The archive has a file whose name leads out of its folder. It is refused.");
  if (name.length > MAX_NAME) throw new ArchiveError("The archive has a file whose name is too long.");
}

function tooMany(entries: number): ArchiveError {
  return new ArchiveError(`The archive has more than ${entries} files.`);
}

function tooLarge(bytes: number): ArchiveError {
  return new ArchiveError(
    `The archive unpacks to more than ${Math.round(bytes / 1024 ** 2)} MiB, far more than an export of its size does. It is refused.`,
  );
}
