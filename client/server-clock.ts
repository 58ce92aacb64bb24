/**
 * The server's time, by this device's clock and what answers say of the difference. Clocks of devices are
 * wrong by minutes, and the server's limits and presences go by its own.
 */

/** Headers have whole seconds, and an answer takes its time. Less than this says nothing. */
const TOLERANCE_MS = 3000;

export class ServerClock {
  readonly #local: () => number;
  #difference = 0;

  /** `local` gives this device's time in milliseconds. */
  constructor(local: () => number = Date.now) {
    this.#local = local;
  }

  /** In milliseconds. */
  now(): number {
    return this.#local() + this.#difference;
  }

  /** `time`: the server's, in milliseconds, of an answer that has just come. */
  note(time: number): void {
    if (Number.isFinite(time) && Math.abs(time - this.now()) > TOLERANCE_MS)
      this.#difference = time - this.#local();
  }
}
