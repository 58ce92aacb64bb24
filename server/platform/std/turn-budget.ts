/**
 * Keeps long synchronous work, such as rendering, from holding up everything else in the process. In each
 * turn of the event loop such work gets a few milliseconds. What does not fit waits for later turns, and
 * between two turns node reads sockets and answers. Owners take turns, so the many pieces of one person do
 * not delay the one piece of another. A piece is never interrupted.
 */
import { performance } from "node:perf_hooks";

const TURN_MS = 8;

export class TurnBudget {
  readonly #turnMs: number;
  readonly #now: () => number;
  /** The waiting pieces of each owner, oldest first. The first owner is next. */
  readonly #waiting = new Map<unknown, (() => void)[]>();
  #usedMs = 0;
  #isScheduled = false;

  constructor(turnMs = TURN_MS, now: () => number = () => performance.now()) {
    this.#turnMs = turnMs;
    this.#now = now;
  }

  /**
   * Runs the work at once if this turn has time left and nothing waits; then the result is no promise of the
   * budget. Otherwise the work runs in a later turn. Of asynchronous work only the start counts.
   */
  run<T>(owner: unknown, work: () => T): T | Promise<Awaited<T>> {
    if (this.#waiting.size === 0 && this.#usedMs < this.#turnMs) return this.#measure(work);
    return new Promise((resolve, reject) => {
      this.#add(owner, () => {
        try {
          resolve(this.#measure(work) as Awaited<T>);
        } catch (error) {
          reject(error);
        }
      });
    });
  }

  #measure<T>(work: () => T): T {
    this.#schedule();
    const startedAt = this.#now();
    try {
      return work();
    } finally {
      this.#usedMs += this.#now() - startedAt;
    }
  }

  #add(owner: unknown, piece: () => void): void {
    const pieces = this.#waiting.get(owner);
    if (pieces) pieces.push(piece);
    else this.#waiting.set(owner, [piece]);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => this.#startTurn());
  }

  #startTurn(): void {
    this.#isScheduled = false;
    this.#usedMs = 0;
    for (const [owner, pieces] of this.#waiting) {
      if (this.#usedMs >= this.#turnMs) break;
      const piece = pieces.shift();
      // The owner goes to the end of the line, where this loop comes to it again.
      this.#waiting.delete(owner);
      if (pieces.length > 0) this.#waiting.set(owner, pieces);
      piece?.();
    }
    if (this.#waiting.size > 0) this.#schedule();
  }
}
