import type { Queue } from "./queue.ts";

const SLOTS = 64;
const FIRST_BEAT_MS = 45_000;
const SPREAD_MS = 10_000;

/**
 * Which held polls are due a heartbeat: one timer for all of them, a slot a second. A held poll is answered after 45 to
 * 55 s, so that a client with a 90 s time-out hears something and many clients do not come back at one moment.
 */
export class HeartbeatWheel {
  readonly #slots: Set<Queue>[] = Array.from({ length: SLOTS }, () => new Set());
  readonly #beat: (queue: Queue) => void;
  readonly #now: () => number;
  #second: number;

  constructor(beat: (queue: Queue) => void, now: () => number) {
    this.#beat = beat;
    this.#now = now;
    this.#second = Math.floor(now() / 1000);
  }

  /** Starts the wait of a queue that has just begun to hold a poll. */
  hold(queue: Queue): void {
    queue.heartbeatAt = this.#now() + FIRST_BEAT_MS + Math.random() * SPREAD_MS;
    // A queue stands in one slot only, however often it polls: the slot puts it forward if it is not due yet.
    if (!queue.isOnWheel) this.#place(queue);
  }

  /** Calls `beat` for each queue whose time has come. To be called about once a second. */
  turn(): void {
    const until = Math.floor(this.#now() / 1000);
    for (let turns = 0; this.#second < until && turns < SLOTS; turns++) {
      this.#second++;
      const slot = this.#slots[this.#second % SLOTS] as Set<Queue>;
      for (const queue of [...slot]) this.#visit(queue, slot);
    }
    this.#second = until;
  }

  #visit(queue: Queue, slot: Set<Queue>): void {
    slot.delete(queue);
    queue.isOnWheel = false;
    if (!queue.held) return;
    if (queue.heartbeatAt > this.#now()) this.#place(queue);
    else this.#beat(queue);
  }

  #place(queue: Queue): void {
    queue.isOnWheel = true;
    (this.#slots[Math.ceil(queue.heartbeatAt / 1000) % SLOTS] as Set<Queue>).add(queue);
  }
}
