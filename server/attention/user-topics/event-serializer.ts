import { EMPTY_TOPIC_DISPLAY_NAME } from "../../../api/channels/topic-name.ts";
import type { FieldsOf } from "../../../api/event.ts";
import { mutedTopicsChanged, userTopicChanged } from "../../../api/events/user-topics.ts";
import { storedEvent } from "../../platform/log/stored-event.ts";
import { asAppended, variant } from "../../platform/queues/event-variant.ts";
import { serializerOf } from "../../platform/queues/queue-parts.ts";
import { mutedTopicsEntry } from "./events.ts";
import { withDisplayNames } from "./present.ts";

const userTopicEntry = storedEvent<FieldsOf<typeof userTopicChanged>>()(userTopicChanged);

export const userTopicSerializer = serializerOf(userTopicEntry, (_state, entry, fields, queue) => {
  if (fields.topic_name !== "" || queue.can("empty_topic_name")) return asAppended(entry);
  return variant(entry, 1, userTopicChanged, () => ({ ...fields, topic_name: EMPTY_TOPIC_DISPLAY_NAME }));
});

export const mutedTopicsSerializer = serializerOf(mutedTopicsEntry, (_state, entry, fields, queue) => {
  // COMPAT: a client that asks for both forms by name knows the new form. It asks for the old one for old
  // servers.
  if (queue.options.eventTypes?.includes("user_topic")) return undefined;
  if (queue.can("empty_topic_name")) return asAppended(entry);
  return variant(entry, 1, mutedTopicsChanged, () => ({
    muted_topics: withDisplayNames(fields.muted_topics),
  }));
});
