import { EMPTY_TOPIC_DISPLAY_NAME, topicDisplayName } from "../../../../api/topic-name.ts";
import { rareRawVariant, rawVariant } from "../../../platform/queues/event-variant.ts";
import type { EventSerializer } from "../../../platform/queues/queue-parts.ts";
import { presentFlags } from "../model/present.ts";
import type { UpdatePayload } from "./update-event.ts";

/**
 * Deletions come in two forms: one event for all messages, or one for each to clients that know no other. A single message
 * is one entry in both; several are one entry for the former clients and one each for the latter.
 */
export const deletionSerializer: EventSerializer = {
  type: "delete_message",
  serialize(_state, entry, queue) {
    const { message_ids, message_id, ...place } = entry.payload as Record<string, unknown> & {
      message_ids?: number[];
      message_id?: number;
    };
    const isBulk = queue.can("bulk_message_deletion");
    if (isBulk ? !message_ids : message_ids && message_ids.length > 1) return undefined;
    const hasEmptyName = place.topic === "" && !queue.can("empty_topic_name");
    const { type, ...rest } = hasEmptyName ? { ...place, topic: EMPTY_TOPIC_DISPLAY_NAME } : place;
    const which = isBulk ? { message_ids } : { message_id: message_id ?? message_ids?.[0] };
    return rawVariant(entry, (isBulk ? 1 : 0) | (hasEmptyName ? 2 : 0), () => ({
      type: "delete_message",
      ...which,
      ...rest,
    }));
  },
};

/** Changes go to each with their own flags on the message that was named, and with a name for the empty topic where needed. */
export const updateSerializer: EventSerializer = {
  type: "update_message",
  serialize(state, entry, queue) {
    const { update, message, readers } = entry.payload as UpdatePayload;
    const own = readers.find(([userId]) => userId === queue.userId);
    const [, personal = 0, isRead = false, isHistorical = false] = own ?? [];
    const flags = presentFlags(state, message, queue.userId, personal, { isRead, isHistorical });
    const hasNames = !queue.can("empty_topic_name") && (update.subject === "" || update.orig_subject === "");
    return rareRawVariant(entry, JSON.stringify([hasNames, flags]), () => ({
      type: "update_message",
      ...(hasNames ? withDisplayNames(update) : update),
      flags,
    }));
  },
};

function withDisplayNames(update: UpdatePayload["update"]): UpdatePayload["update"] {
  return {
    ...update,
    ...(update.subject !== undefined && { subject: topicDisplayName(update.subject) }),
    ...(update.orig_subject !== undefined && { orig_subject: topicDisplayName(update.orig_subject) }),
  };
}
