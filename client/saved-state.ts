/**
 * What a client keeps between its runs, so that it can show the last state before the server has answered:
 * the snapshot, the events since, and the last windows. It is bounded and has no secrets. A new snapshot
 * replaces it as soon as there is one. Its windows are shown, and claim nothing.
 */
import type { ChannelTopic } from "./channel-topics.ts";
import type { QueuedEvent } from "./contract.ts";
import type { Message } from "./model/messages.ts";
import type { Narrow } from "./narrow.ts";

export interface SavedWindow {
  narrow: Narrow;
  ids: number[];
  foundOldest: boolean;
  foundNewest: boolean;
  messages: Message[];
}

export interface SavedTopics {
  channelId: number;
  topics: ChannelTopic[];
}

export interface SavedState {
  snapshot: object;
  events: readonly QueuedEvent[];
  windows: readonly SavedWindow[];
  topics: readonly SavedTopics[];
}

const MAX_EVENTS = 3000;
/** They are over when the client runs again. */
const momentary = new Set(["typing", "presence", "heartbeat"]);

/** Collects the events since the snapshot, and says nothing any more once there are too many. */
export class EventRecord {
  #events: QueuedEvent[] | undefined = [];

  restart(): void {
    this.#events = [];
  }

  add(events: readonly QueuedEvent[]): void {
    this.#events?.push(...events.filter(({ type }) => !momentary.has(type)));
    if (this.#events && this.#events.length > MAX_EVENTS) this.#events = undefined;
  }

  /** undefined: without all of them, the snapshot is of no use. */
  get events(): readonly QueuedEvent[] | undefined {
    return this.#events;
  }
}
