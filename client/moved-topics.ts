/** Topics that were moved as a whole, so that links with their old names still lead to them. */
import { foldName } from "../api/fold-name.ts";
import { mayReachOthers } from "../api/messages/moved-topic.ts";
import type { Channels } from "./model/channels.ts";
import { newPlace, type UpdateEvent } from "./model/messages.ts";

interface Place {
  channelId: number;
  topic: string;
}

export interface TopicMove {
  from: Place;
  to: Place;
}

/** The move of a whole topic. */
export function moveOf(event: UpdateEvent): TopicMove | undefined {
  const { stream_id, orig_subject, propagate_mode } = event;
  const to = newPlace(event);
  if (!to || propagate_mode !== "change_all" || stream_id === undefined || orig_subject === undefined)
    return undefined;
  return { from: { channelId: stream_id, topic: orig_subject }, to };
}

/** Whether what was written for the topic is read by others where it is now. */
export function reachesOthers(channels: Channels, { from, to }: TopicMove): boolean {
  if (from.channelId === to.channelId) return false;
  return mayReachOthers(channels.get(from.channelId), channels.get(to.channelId));
}

const MAX_MOVES = 500;

export class MovedTopics {
  /** By the old place. The oldest move is the first. */
  readonly #moves = new Map<string, Place>();

  add({ from, to }: TopicMove): void {
    this.#moves.delete(keyOf(from));
    // A topic that comes back is where it was.
    this.#moves.delete(keyOf(to));
    if (keyOf(from) !== keyOf(to)) this.#moves.set(keyOf(from), to);
    for (const key of this.#moves.keys()) {
      if (this.#moves.size <= MAX_MOVES) break;
      this.#moves.delete(key);
    }
  }

  /** Where it is now. A topic may have moved several times. */
  find(place: Place): Place | undefined {
    let found = this.#moves.get(keyOf(place));
    for (let next = found; next; next = this.#moves.get(keyOf(next))) found = next;
    return found;
  }
}

function keyOf({ channelId, topic }: Place): string {
  return `${channelId} ${foldName(topic)}`;
}
