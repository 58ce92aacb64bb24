import { ApiError, errors } from "../../../api/errors.ts";

export interface ReceivingLimits {
  /** Requests with files at a time, of all connections of this process. */
  total: number;
  perPerson: number;
  /** The limit for one address, or for one IPv6 network. */
  perNetwork: number;
}

/** Browsers send six requests at a time to one server. A network may be an office. */
export const defaultReceivingLimits: ReceivingLimits = { total: 64, perPerson: 6, perNetwork: 24 };

/**
 * The requests whose files are arriving or being worked on. Each has files on disk and buffers in memory, so
 * their number is limited.
 */
export class ReceivingRequests {
  readonly #limits: ReceivingLimits;
  readonly #counts = new Map<string, number>();
  #total = 0;

  constructor(limits: ReceivingLimits = defaultReceivingLimits) {
    this.#limits = limits;
  }

  /** How many there are now. */
  get count(): number {
    return this.#total;
  }

  /**
   * Counts a request until the function that it returns is called. Throws `rateLimitHit` if the person or the
   * network has too many already, and `tooManyBodies` if all together have.
   */
  begin(person: string, network: string): () => void {
    const keys = [`person ${person}`, `network ${network}`] as const;
    const limits = [this.#limits.perPerson, this.#limits.perNetwork] as const;
    if (keys.some((key, index) => this.#countOf(key) >= (limits[index] as number)))
      throw new ApiError(errors.rateLimitHit, { retryAfter: 1 });
    if (this.#total >= this.#limits.total) throw new ApiError(errors.tooManyBodies);
    for (const key of keys) this.#counts.set(key, this.#countOf(key) + 1);
    this.#total++;
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.#total--;
      for (const key of keys) this.#subtract(key);
    };
  }

  #countOf(key: string): number {
    return this.#counts.get(key) ?? 0;
  }

  #subtract(key: string): void {
    const left = this.#countOf(key) - 1;
    if (left > 0) this.#counts.set(key, left);
    else this.#counts.delete(key);
  }
}
