import type { Static } from "typebox";
import type { reminder } from "../../../api/events/reminders.ts";
import { secondsOf } from "../delivery-time.ts";
import type { Reminder } from "./store.ts";

export function presentReminder(row: Reminder): Static<typeof reminder> {
  return {
    reminder_id: row.id,
    type: "private",
    to: [row.userId],
    content: row.content,
    rendered_content: row.renderedContent,
    scheduled_delivery_timestamp: secondsOf(row.deliverAt),
    failed: false,
    reminder_target_message_id: row.messageId,
  };
}
