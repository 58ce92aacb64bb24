import type { Queue } from "./queue.ts";

const SLOTS = 64;
const MIN_WAIT_MS = 45_000;
const SPREAD_MS = 10_000;

/**
 * A timing wheel for the heartbeats of held polls: one timer for all of them, and one slot per second. A held
 * poll is answered after 45 to 55 s. So a client with a timeout of 90 s gets an answer in time, and the
 * spread keeps many clients from polling again at once.
 */
export class HeartbeatWheel {
  readonly #slots: Set<Queue>[] = Array.from({ length: SLOTS }, () => new Set());
  readonly #sendHeartbeat: (queue: Queue) => void;
  readonly #now: () => number;
  #second: number;

  constructor(sendHeartbeat: (queue: Queue) => void, now: () => number) {
    this.#sendHeartbeat = sendHeartbeat;
    this.#now = now;
    this.#second = Math.floor(now() / 1000);
  }

  /** Starts the wait of a queue that now holds a poll. */
  hold(queue: Queue): void {
    queue.heartbeatAt = this.#now() + MIN_WAIT_MS + Math.random() * SPREAD_MS;
    // A queue is in one slot only, however often it polls. If it is not due when that slot comes, it moves
    // on.
    if (!queue.isOnWheel) this.#place(queue);
  }

  /** Calls `sendHeartbeat` for each queue that is due one. To be called about once a second. */
  tick(): void {
    const until = Math.floor(this.#now() / 1000);
    for (let steps = 0; this.#second < until && steps < SLOTS; steps++) {
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
    else this.#sendHeartbeat(queue);
  }

  #place(queue: Queue): void {
    queue.isOnWheel = true;
    (this.#slots[Math.ceil(queue.heartbeatAt / 1000) % SLOTS] as Set<Queue>).add(queue);
  }
}
