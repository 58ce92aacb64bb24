import type { LongPoll } from "./long-poll.ts";

/** What is under way: stopping waits for it. */
export class InFlight {
  isStopping = false;
  /** Calls whose handler has not finished. */
  calls = 0;
  /** Answers that wait for something to tell. */
  readonly longPolls = new Set<LongPoll>();
}
