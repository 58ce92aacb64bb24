const EVERY_MS = 60_000;

interface Log {
  error(facts: object, sentence: string): void;
}

/** The numbers of a row that names a file. Its name and its address are people's. */
interface NamedFile {
  organizationId: number;
  /** The row's. */
  id: number;
}

/**
 * Tells the log of files that rows name and that are not there: of the first one at once, then at most once
 * a minute, with how many requests were for such files meanwhile.
 */
export class MissingFiles {
  readonly #log: Log;
  readonly #now: () => number;
  #count = 0;
  #toldAt = Number.NEGATIVE_INFINITY;

  constructor(log: Log, now: () => number = () => performance.now()) {
    this.#log = log;
    this.#now = now;
  }

  note({ organizationId, id }: NamedFile): void {
    this.#count++;
    if (this.#now() - this.#toldAt < EVERY_MS) return;
    const facts = { organizationId, fileId: id, requests: this.#count };
    this.#log.error(facts, "A file that the database names is missing. Restore it from a backup.");
    this.#count = 0;
    this.#toldAt = this.#now();
  }
}
