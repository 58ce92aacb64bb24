import type { LongPoll } from "./long-poll.ts";
import { UnorderedList } from "./unordered-list.ts";

/** The calls under way, for which a stop waits. */
export class InFlight {
  isStopping = false;
  /** Calls whose handler has not finished. */
  calls = 0;
  /** Polls that are held until there is something to send. */
  readonly longPolls = new UnorderedList<LongPoll>();
  /** Told how long a poll was held whose connection was closed from outside. Behind a proxy alone. */
  onCutPoll: ((lastedMs: number) => void) | undefined;
}
