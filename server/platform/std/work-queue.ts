/**
 * Runs at most `concurrency` pieces of work at once, in the order in which they came. At most `maxWaiting`
 * wait. What comes on top is refused at once, since it would wait longer than its caller does.
 */
export class WorkQueue {
  readonly #concurrency: number;
  readonly #maxWaiting: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(concurrency: number, maxWaiting: number) {
    this.#concurrency = concurrency;
    this.#maxWaiting = maxWaiting;
  }

  get running(): number {
    return this.#running;
  }

  /** Returns undefined if the queue is full. */
  run<T>(work: () => Promise<T>): Promise<T> | undefined {
    if (this.#running < this.#concurrency) {
      this.#running++;
      return this.#perform(work);
    }
    if (this.#waiting.length >= this.#maxWaiting) return undefined;
    return new Promise<void>((begin) => this.#waiting.push(begin)).then(() => this.#perform(work));
  }

  async #perform<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } finally {
      // The place goes to the next one directly, so nothing that comes meanwhile can take it.
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running--;
    }
  }
}
