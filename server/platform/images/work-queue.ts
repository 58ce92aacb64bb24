import { ImageError } from "./image-error.ts";

/** Lets a few pieces of work run at a time, in the order in which they came. The rest waits, up to a number. */
export class WorkQueue {
  readonly #maxRunning: number;
  readonly #maxWaiting: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(maxRunning: number, maxWaiting: number) {
    this.#maxRunning = maxRunning;
    this.#maxWaiting = maxWaiting;
  }

  /** Throws the problem `busy` if too much waits. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running < this.#maxRunning) this.#running++;
    else await this.#turn();
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running--;
    }
  }

  /** Resolves when a piece that ran has left its place to this one. */
  async #turn(): Promise<void> {
    if (this.#waiting.length === this.#maxWaiting) throw new ImageError("busy");
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }
}
