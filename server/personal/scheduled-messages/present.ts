import type { Static } from "typebox";
import type { scheduledMessage } from "../../../api/events/scheduled-messages.ts";
import { secondsOf } from "../delivery-time.ts";
import type { ScheduledMessage } from "./store.ts";

export function presentScheduledMessage(message: ScheduledMessage): Static<typeof scheduledMessage> {
  return {
    scheduled_message_id: message.id,
    ...placeOf(message),
    content: message.content,
    rendered_content: message.renderedContent,
    scheduled_delivery_timestamp: secondsOf(message.deliverAt),
    failed: message.isFailed,
  };
}

function placeOf({ channelId, topic, userIds, senderId }: ScheduledMessage) {
  if (channelId !== null) return { type: "stream" as const, to: channelId, topic: topic ?? "" };
  const others = (userIds ?? []).filter((id) => id !== senderId);
  return { type: "private" as const, to: others.length > 0 ? others : [senderId] };
}
