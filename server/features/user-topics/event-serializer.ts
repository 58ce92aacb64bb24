import { EMPTY_TOPIC_DISPLAY_NAME } from "../../../api/topic-name.ts";
import { rawVariant } from "../../platform/queues/event-variant.ts";
import type { EventSerializer } from "../../platform/queues/queue-parts.ts";
import { type MutedTopic, withDisplayNames } from "./present.ts";

export const userTopicSerializer: EventSerializer = {
  type: "user_topic",
  serialize(_state, entry, queue) {
    const hasName = entry.payload.topic_name !== "" || queue.can("empty_topic_name");
    if (hasName) return rawVariant(entry, 0, () => entry.payload);
    return rawVariant(entry, 1, () => ({ ...entry.payload, topic_name: EMPTY_TOPIC_DISPLAY_NAME }));
  },
};

export const mutedTopicsSerializer: EventSerializer = {
  type: "muted_topics",
  serialize(_state, entry, queue) {
    // COMPAT: who asks for both forms by name knows the new one, and asks for the old one for the sake of old servers.
    if (queue.options.eventTypes?.includes("user_topic")) return undefined;
    if (queue.can("empty_topic_name")) return rawVariant(entry, 0, () => entry.payload);
    const muted = entry.payload.muted_topics as MutedTopic[];
    return rawVariant(entry, 1, () => ({ ...entry.payload, muted_topics: withDisplayNames(muted) }));
  },
};
