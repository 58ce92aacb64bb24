/**
 * Growing waits between attempts, each a random part of its bound so that clients don't all come back at
 * once.
 */
export class Backoff {
  readonly #firstMs: number;
  readonly #longestMs: number;
  readonly #random: () => number;
  #attempts = 0;
  #wake: (() => void) | undefined;

  constructor(options: { firstMs?: number; longestMs?: number; random?: () => number } = {}) {
    this.#firstMs = options.firstMs ?? 250;
    this.#longestMs = options.longestMs ?? 30_000;
    this.#random = options.random ?? Math.random;
  }

  /** The next wait: between half of the bound and the whole bound, which doubles each time. */
  nextMs(): number {
    const bound = Math.min(this.#longestMs, this.#firstMs * 2 ** this.#attempts);
    this.#attempts++;
    return bound * (0.5 + this.#random() / 2);
  }

  /** After a success the waits start over. */
  reset(): void {
    this.#attempts = 0;
  }

  /** Waits for the next time, but not less than `leastMs`, which the server asked for. */
  async pause(leastMs = 0, signal?: AbortSignal): Promise<void> {
    const longer = this.nextMs() - leastMs;
    if (leastMs > 0) await wait(leastMs, signal);
    signal?.throwIfAborted();
    const ended = new AbortController();
    const end = () => ended.abort();
    signal?.addEventListener("abort", end);
    this.#wake = end;
    try {
      if (longer > 0) await wait(longer, ended.signal);
    } catch {
      signal?.throwIfAborted();
    } finally {
      signal?.removeEventListener("abort", end);
      this.#wake = undefined;
    }
  }

  /** Ends the wait that is under way: there is a reason to believe that the next attempt will succeed. */
  wakeUp(): void {
    this.reset();
    this.#wake?.();
  }
}

/** Resolves after a time. Rejects with the signal's reason if the signal is aborted first. */
export function wait(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, ms);
    signal?.addEventListener("abort", stop, { once: true });
  });
}
