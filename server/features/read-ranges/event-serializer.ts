import type { FieldsOf } from "../../../api/event.ts";
import { flagRemoved } from "../../../api/events/flags.ts";
import { topicDisplayName } from "../../../api/topic-name.ts";
import { storedEvent } from "../../platform/log/stored-event.ts";
import { asAppended, variant } from "../../platform/queues/event-variant.ts";
import { serializerOf } from "../../platform/queues/queue-parts.ts";
import type { UnreadDetails } from "./events.ts";

/** Both ops share a type, but only this one has topics. */
const flagRemovedEntry = storedEvent<FieldsOf<typeof flagRemoved>>()(flagRemoved);

/** Flag events go out unchanged, except for empty topics in them (spec Conventions 7). */
export const flagSerializer = serializerOf(flagRemovedEntry, (_state, entry, fields, queue) => {
  const { message_details: details } = fields;
  if (!details || queue.can("empty_topic_name")) return asAppended(entry);
  return variant(entry, 1, flagRemoved, () => ({ ...fields, message_details: withDisplayNames(details) }));
});

function withDisplayNames(details: UnreadDetails): UnreadDetails {
  return Object.fromEntries(
    Object.entries(details).map(([id, detail]) => [
      id,
      detail.topic === undefined ? detail : { ...detail, topic: topicDisplayName(detail.topic) },
    ]),
  );
}
