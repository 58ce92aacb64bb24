/**
 * Keeps long synchronous work, such as rendering, from holding up everything else in the process. In each
 * turn of the event loop such work gets a few milliseconds. What does not fit waits for later turns, and
 * between two turns node reads sockets and answers. A piece is never interrupted.
 *
 * Owners share the time equally, by weighted fair queueing. The many pieces of one person do not delay the
 * one piece of another, and a short piece does not wait for the long pieces of many others.
 */
import { performance } from "node:perf_hooks";

const TURN_MS = 8;

interface Waiting {
  cost: number;
  /** The virtual time at which the piece would be done if all owners were served at the same time. */
  finish: number;
  piece: () => void;
}

export class TurnBudget {
  readonly #turnMs: number;
  readonly #now: () => number;
  /** In the order of `finish`, and of arrival where that is equal. */
  readonly #waiting: Waiting[] = [];
  /** The last `finish` of each owner who would not be done yet. */
  readonly #lastFinish = new Map<unknown, number>();
  /** What each owner would have been served since the last rest. A newcomer begins here. */
  #virtualTime = 0;
  #usedMs = 0;
  #isScheduled = false;

  constructor(turnMs = TURN_MS, now: () => number = () => performance.now()) {
    this.#turnMs = turnMs;
    this.#now = now;
  }

  /**
   * Runs the work at once if this turn has time left and nothing waits; then the result is no promise of the
   * budget. Otherwise the work runs in a later turn. Only the start of asynchronous work counts. `cost` is an
   * estimate such as the length of a text, in one unit for all work of a budget.
   */
  run<T>(owner: unknown, cost: number, work: () => T): T | Promise<Awaited<T>> {
    if (this.#waiting.length === 0 && this.#usedMs < this.#turnMs) return this.#measure(work);
    return new Promise((resolve, reject) => {
      this.#add(owner, cost, () => {
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

  #add(owner: unknown, cost: number, piece: () => void): void {
    const finish = Math.max(this.#lastFinish.get(owner) ?? 0, this.#virtualTime) + cost;
    this.#lastFinish.set(owner, finish);
    this.#waiting.splice(this.#placeOf(finish), 0, { cost, finish, piece });
    this.#schedule();
  }

  /** Behind all that finish no later. */
  #placeOf(finish: number): number {
    let [from, to] = [0, this.#waiting.length];
    while (from < to) {
      const middle = (from + to) >>> 1;
      if ((this.#waiting[middle] as Waiting).finish <= finish) from = middle + 1;
      else to = middle;
    }
    return from;
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => this.#startTurn());
  }

  #startTurn(): void {
    this.#isScheduled = false;
    this.#usedMs = 0;
    while (this.#usedMs < this.#turnMs) {
      const next = this.#waiting.shift();
      if (next === undefined) break;
      this.#virtualTime += next.cost / Math.max(1, this.#lastFinish.size);
      next.piece();
    }
    if (this.#waiting.length > 0) this.#schedule();
    this.#forgetDone();
  }

  #forgetDone(): void {
    const isResting = this.#waiting.length === 0;
    if (isResting) this.#virtualTime = 0;
    for (const [owner, finish] of this.#lastFinish) {
      if (isResting || finish <= this.#virtualTime) this.#lastFinish.delete(owner);
    }
  }
}
