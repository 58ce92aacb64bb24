import { EMPTY_TOPIC_DISPLAY_NAME } from "../../../api/channels/topic-name.ts";
import type { FieldsOf } from "../../../api/event.ts";
import {
  channelTypingStarted,
  channelTypingStopped,
  type directTypingStarted,
  messageEditingStarted,
  messageEditingStopped,
} from "../../../api/events/typing.ts";
import { userSettings } from "../../../api/people/user-settings.ts";
import { userSettingOf } from "../../people/settings/user-setting.ts";
import { users } from "../../people/user.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { storedEvent } from "../../platform/log/stored-event.ts";
import { asAppended, variant } from "../../platform/queues/event-variant.ts";
import type { Queue } from "../../platform/queues/queue.ts";
import { serializerOf } from "../../platform/queues/queue-parts.ts";

/** Typing in a direct message or in a channel, of either op. */
const typingEntry = storedEvent<
  FieldsOf<typeof directTypingStarted> | FieldsOf<typeof channelTypingStarted>
>()(channelTypingStarted);

const editingEntry = storedEvent<FieldsOf<typeof messageEditingStarted>>()(messageEditingStarted);

/**
 * Typing events go to people who have not turned them off. In channels they go only to clients with the
 * capability, with a name for the empty topic if the client needs one.
 */
export const typingSerializer = serializerOf(typingEntry, (state, entry, fields, queue) => {
  if (!isListening(state, queue)) return undefined;
  if (fields.message_type === "direct") return asAppended(entry);
  if (!queue.can("stream_typing_notifications")) return undefined;
  if (fields.topic !== "" || queue.can("empty_topic_name")) return asAppended(entry);
  const event = fields.op === "stop" ? channelTypingStopped : channelTypingStarted;
  return variant(entry, 1, event, () => ({ ...fields, topic: EMPTY_TOPIC_DISPLAY_NAME }));
});

/** Does the same for editing events, which go to all clients. */
export const editTypingSerializer = serializerOf(editingEntry, (state, entry, fields, queue) => {
  if (!isListening(state, queue)) return undefined;
  const { recipient } = fields;
  if (recipient.type === "direct" || recipient.topic !== "" || queue.can("empty_topic_name"))
    return asAppended(entry);
  const event = fields.op === "stop" ? messageEditingStopped : messageEditingStarted;
  const named = { ...recipient, topic: EMPTY_TOPIC_DISPLAY_NAME };
  return variant(entry, 1, event, () => ({ ...fields, recipient: named }));
});

function isListening(state: OrganizationState, queue: Queue): boolean {
  const user = state.get(users).byId.get(queue.userId);
  return user !== undefined && userSettingOf(user, userSettings.receivesTypingNotifications);
}
