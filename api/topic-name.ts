/** What a topic's name says by itself: whether it is the empty topic, and whether it is resolved. */

/** Stands for the empty topic's name where a client can't show an empty one (spec Conventions 7). */
export const EMPTY_TOPIC_DISPLAY_NAME = "general chat";

/** The name to show for a topic. `canBeEmpty`: whether the reader shows an empty name as it is. */
export function topicDisplayName(topic: string, canBeEmpty = false): string {
  return topic === "" && !canBeEmpty ? EMPTY_TOPIC_DISPLAY_NAME : topic;
}

/** Whether a text given as a topic's name means the empty topic (spec E1 `topic`). */
export function isEmptyTopicName(text: string): boolean {
  const stripped = text.trim();
  return stripped === "" || stripped === "(no topic)" || stripped === EMPTY_TOPIC_DISPLAY_NAME;
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

function withoutPrefixes(topic: string): string {
  return isResolvedTopic(topic) ? withoutPrefixes(topic.slice(RESOLVED_PREFIX.length)) : topic;
}
