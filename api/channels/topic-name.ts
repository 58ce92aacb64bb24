/** What a topic's name says by itself: whether it is the empty topic, and whether it is resolved. */
import { foldName } from "../fold-name.ts";

/** Stands for the empty topic's name where a client can't show an empty one (spec Conventions 7). */
export const EMPTY_TOPIC_DISPLAY_NAME = "general chat";

/** The name to show for a topic. `canBeEmpty`: whether the reader shows an empty name as it is. */
export function topicDisplayName(topic: string, canBeEmpty = false): string {
  return topic === "" && !canBeEmpty ? EMPTY_TOPIC_DISPLAY_NAME : topic;
}

/** What means the empty topic, in small letters (spec E1 `topic`). */
export const EMPTY_TOPIC_NAMES = ["", "(no topic)", EMPTY_TOPIC_DISPLAY_NAME];

/** Whether a text given as a topic's name means the empty topic, in capitals or small letters. */
export function isEmptyTopicName(text: string): boolean {
  return EMPTY_TOPIC_NAMES.includes(foldName(text.trim()));
}

/** A topic is resolved when its name begins with this. */
export const RESOLVED_PREFIX = "✔ ";

export function isResolvedTopic(topic: string): boolean {
  return topic.startsWith(RESOLVED_PREFIX);
}

/** Whether a new name only resolves the topic or reopens it, however many prefixes either name has. */
export function isTopicResolution(from: string, to: string): boolean {
  return isResolvedTopic(from) !== isResolvedTopic(to) && withoutPrefixes(from) === withoutPrefixes(to);
}

/** Whether a name would be the empty topic's with the mark of resolved topics. No topic can have it. */
export function isResolvedEmptyTopic(text: string): boolean {
  const name = text.trimStart();
  return isResolvedTopic(name) && isEmptyTopicName(withoutPrefixes(name));
}

/** The most characters of this name, where others may have `limit`. The mark of resolved topics is extra. */
export function topicRoom(name: string, limit: number): number {
  return isResolvedTopic(name) ? limit + RESOLVED_PREFIX.length : limit;
}

function withoutPrefixes(topic: string): string {
  return isResolvedTopic(topic) ? withoutPrefixes(topic.slice(RESOLVED_PREFIX.length)) : topic;
}
