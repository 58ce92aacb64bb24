import { setTimeout as sleep } from "node:timers/promises";

export interface RecentValueTimes {
  /** How long a value is given again without asking. */
  freshMs: number;
  /** How long a value is still given when no newer one came. */
  staleMs: number;
  /** How long a reader waits for a newer one. */
  waitMs: number;
}

const defaultTimes: RecentValueTimes = { freshMs: 5_000, staleMs: 60_000, waitMs: 500 };

/**
 * A number that the database has to be asked for. The database may be slow or away, and metrics are wanted
 * most at that time. So a reader waits for a moment only, and one question is under way at a time.
 */
export class RecentValue<T> {
  readonly #ask: () => Promise<T>;
  readonly #times: RecentValueTimes;
  #value: T | undefined;
  #readAt = Number.NEGATIVE_INFINITY;
  #asking: Promise<void> | undefined;

  constructor(ask: () => Promise<T>, times: Partial<RecentValueTimes> = {}) {
    this.#ask = ask;
    this.#times = { ...defaultTimes, ...times };
  }

  /** undefined: it could not be read for a while. Never rejects. */
  async read(): Promise<T | undefined> {
    const { freshMs, staleMs, waitMs } = this.#times;
    if (this.#age() > freshMs) {
      this.#asking ??= this.#renew();
      const stop = new AbortController();
      await Promise.race([this.#asking, sleep(waitMs, undefined, { signal: stop.signal }).catch(() => {})]);
      stop.abort();
    }
    return this.#age() <= staleMs ? this.#value : undefined;
  }

  async #renew(): Promise<void> {
    try {
      this.#value = await this.#ask();
      this.#readAt = performance.now();
    } catch {
      // The database is away. The parts that need it say so in the log.
    } finally {
      this.#asking = undefined;
    }
  }

  #age(): number {
    return performance.now() - this.#readAt;
  }
}
