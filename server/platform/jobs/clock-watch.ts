/**
 * Notices when the machine's clock is set to another time. The library plans periodic jobs a minute at a
 * time. After a clock was set back it waits until its next minute comes again. After one was set forward it
 * goes through all minutes between. Started again, it begins at the time of now.
 */
import { performance } from "node:perf_hooks";

const LOOK_EVERY_MS = 1000;
/** A clock that is brought to the right time slowly differs by less between two looks. */
const MAX_DRIFT_MS = 60_000;

export class ClockWatch {
  #difference = differenceNow();
  #timer: NodeJS.Timeout | undefined;

  /** `onJump` gets by how much the clock was set forward, or back if that is negative. */
  start(onJump: (ms: number) => void): void {
    this.#timer = setInterval(() => {
      const jump = differenceNow() - this.#difference;
      this.#difference += jump;
      if (Math.abs(jump) > MAX_DRIFT_MS) onJump(jump);
    }, LOOK_EVERY_MS).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}

/** Between the clock and a time that only goes on. */
function differenceNow(): number {
  return Date.now() - performance.now();
}
