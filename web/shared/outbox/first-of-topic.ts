/** Messages that began a topic when they were sent from the view of a whole channel. */
import { foldName } from "../../../api/fold-name.ts";
import type { Conversation } from "../../../client/narrow.ts";
import type { OutgoingMessage } from "../../../client/outbox/message.ts";
import { state } from "../state/state.ts";

const first = new WeakSet<OutgoingMessage>();

export const isFirstOfTopic = (message: OutgoingMessage) => first.has(message);

/** `place`: where the box wrote to. Where the channel's topics are not known, nobody can say. */
export function beginsTopic(place: Conversation, topic: string): boolean {
  if (place.kind !== "channel" || place.topic !== undefined) return false;
  const topics = state.topics.of(place.channelId);
  const known = new Set(topics.map(({ name }) => foldName(name)));
  return state.topics.wasAsked(place.channelId) && !known.has(foldName(topic));
}

export function noteFirst(message: OutgoingMessage): void {
  first.add(message);
}
