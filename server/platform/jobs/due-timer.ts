/**
 * Starts jobs when they become due. The library looks for due jobs when one is added, and otherwise only
 * every few seconds. This asks the database when the next job becomes due, and wakes the workers then.
 */
import type { Database } from "../db/database.ts";
import { type DueTime, findNextDue } from "./store.ts";

/** A timer of Node has a longest time. The clocks of two machines drift apart too. */
const MAX_WAIT_MS = 600_000;
/** The library's own look comes soon anyway. */
const AFTER_ERROR_MS = 1000;

export class DueTimer {
  readonly #database: Database;
  readonly #onDue: () => void;
  #timer: NodeJS.Timeout | undefined;
  #isLooking = false;
  /** Something changed during a look, which may have been too early to see it. */
  #isOutdated = false;
  #isStopped = false;
  /** Jobs that were due by then have been announced. */
  #announced: string | null = null;

  /** `onDue` is called when a job may have become due. */
  constructor(database: Database, onDue: () => void) {
    this.#database = database;
    this.#onDue = onDue;
  }

  /** Looks when the next job is due. To be called when jobs may have been added, moved or removed. */
  look(): void {
    this.#isOutdated = true;
    if (!this.#isLooking) void this.#look();
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  async #look(): Promise<void> {
    this.#isLooking = true;
    clearTimeout(this.#timer);
    let waitMs: number | undefined;
    while (this.#isOutdated && !this.#isStopped) {
      this.#isOutdated = false;
      waitMs = await findNextDue(this.#database, this.#announced)
        .then((found) => this.#announce(found))
        .catch(() => AFTER_ERROR_MS);
    }
    this.#isLooking = false;
    if (waitMs === undefined || this.#isStopped) return;
    this.#timer = setTimeout(() => this.look(), Math.min(waitMs, MAX_WAIT_MS)).unref();
  }

  /** Returns how long to wait for the next job; undefined when none waits. */
  #announce({ now, waitMs }: DueTime): number | undefined {
    if (waitMs === null || this.#isStopped) return undefined;
    if (waitMs > 0) return Math.ceil(waitMs);
    this.#announced = now;
    this.#isOutdated = true;
    this.#onDue();
    return undefined;
  }
}
