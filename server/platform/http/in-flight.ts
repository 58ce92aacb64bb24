import type { Held } from "./long-poll.ts";

/** What is under way: stopping waits for it. */
export class Traffic {
  isStopping = false;
  /** Calls whose handler has not finished. */
  inFlight = 0;
  /** Answers that wait for something to tell. */
  readonly held = new Set<Held>();
}
