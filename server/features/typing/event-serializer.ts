import { EMPTY_TOPIC_DISPLAY_NAME } from "../../../api/topic-name.ts";
import { userSettings } from "../../../api/user-settings.ts";
import type { EventPayload } from "../../platform/log/log-entry.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { rawVariant } from "../../platform/queues/event-variant.ts";
import type { Queue } from "../../platform/queues/queue.ts";
import type { EventSerializer } from "../../platform/queues/queue-parts.ts";
import { users } from "../users/user.ts";
import { userSettingOf } from "../users/user-setting.ts";

/**
 * Typing goes to those who want to be told of it; in channels only to clients that know it can happen there, with a name
 * for the empty topic where they need one.
 */
export const typingSerializer: EventSerializer = {
  type: "typing",
  serialize(state, entry, queue) {
    if (!isListening(state, queue)) return undefined;
    const { payload } = entry;
    if (payload.message_type === "stream" && !queue.can("stream_typing_notifications")) return undefined;
    if (payload.topic !== "" || queue.can("empty_topic_name")) return rawVariant(entry, 0, () => payload);
    return rawVariant(entry, 1, () => ({ ...payload, topic: EMPTY_TOPIC_DISPLAY_NAME }));
  },
};

/** The same for those who edit; all clients may know of it. */
export const editTypingSerializer: EventSerializer = {
  type: "typing_edit_message",
  serialize(state, entry, queue) {
    if (!isListening(state, queue)) return undefined;
    const payload = entry.payload as EventPayload & { recipient: { topic?: string } };
    const { recipient } = payload;
    if (recipient.topic !== "" || queue.can("empty_topic_name")) return rawVariant(entry, 0, () => payload);
    const named = { ...recipient, topic: EMPTY_TOPIC_DISPLAY_NAME };
    return rawVariant(entry, 1, () => ({ ...payload, recipient: named }));
  },
};

function isListening(state: OrganizationState, queue: Queue): boolean {
  const user = state.get(users).byId.get(queue.userId);
  return user !== undefined && userSettingOf(user, userSettings.receivesTypingNotifications);
}
