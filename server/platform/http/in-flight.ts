import type { LongPoll } from "./long-poll.ts";
import { UnorderedList } from "./unordered-list.ts";

/** The calls under way, for which a stop waits. */
export class InFlight {
  isStopping = false;
  /** Calls whose handler has not finished. */
  calls = 0;
  /** Polls that are held until there is something to send. */
  readonly longPolls = new UnorderedList<LongPoll>();
}
