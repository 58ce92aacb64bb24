/**
 * What a client keeps between its runs, so that it can show the last state before the server has answered:
 * the snapshot, the events since, and the last windows. It is bounded and has no secrets. A new snapshot
 * replaces it as soon as there is one.
 */
import type { ChannelTopic } from "./channel-topics.ts";
import type { QueuedEvent } from "./contract.ts";
import type { MessageWindow } from "./message-windows/message-window.ts";
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
const MAX_WINDOWS = 6;
const MAX_MESSAGES = 150;
/** They are over when the client runs again. */
const momentary = new Set(["typing", "presence", "heartbeat"]);
const secret = /api_?key|token|secret|password/i;

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

/** As JSON, without fields whose name says that they are secret. */
export function withoutSecrets(value: unknown): string {
  return JSON.stringify(value, (key, one: unknown) =>
    secret.test(key) && typeof one === "string" ? "" : one,
  );
}

/** The windows that were used last, the last one first, with their newest messages. */
export function saveWindows(
  windows: Iterable<MessageWindow>,
  byId: ReadonlyMap<number, Message>,
): SavedWindow[] {
  const loaded = [...windows].filter(({ isLoaded }) => isLoaded).reverse();
  return loaded.slice(0, MAX_WINDOWS).map(({ narrow, ids, foundOldest, foundNewest }) => {
    const kept = ids.slice(-MAX_MESSAGES);
    return {
      narrow,
      ids: kept,
      foundOldest: foundOldest && kept.length === ids.length,
      foundNewest,
      messages: kept.flatMap((id) => byId.get(id) ?? []),
    };
  });
}
