import { ApiError, errors } from "../../../api/errors.ts";
import type { ReminderId } from "../../../api/ids.ts";
import { MAX_REMINDER_NOTE_LENGTH, MAX_REMINDERS } from "../../../api/limits.ts";
import { renderContent } from "../../content/rendering.ts";
import { accessMessage } from "../../messages/access.ts";
import type { ViewerChange } from "../../people/viewer/change.ts";
import { cancel } from "../../platform/jobs/enqueue.ts";
import { parseDeliveryTime } from "../delivery-time.ts";
import { announceReminder, announceRemoval, deliverReminder, enqueueReminder } from "./deliver.ts";
import { countReminders, deleteReminder, insertReminder } from "./store.ts";
import { reminderText } from "./text.ts";

/**
 * Sets a reminder of a message that the viewer can read, and enqueues its delivery. The viewer's clients get
 * an event. Throws "Invalid message(s)" for any other message.
 */
export async function createReminder(
  tx: ViewerChange,
  request: { messageId: number; note: string; deliveryTimestamp: number },
): Promise<ReminderId> {
  const { state, viewer } = tx;
  const { user } = viewer;
  const deliverAt = parseDeliveryTime(request.deliveryTimestamp);
  const note = request.note.trim();
  if ([...note].length > MAX_REMINDER_NOTE_LENGTH) {
    throw new ApiError(errors.tooLong, { name: "note", limit: MAX_REMINDER_NOTE_LENGTH });
  }
  const { row } = await accessMessage({ state, user }, tx, request.messageId);
  if ((await countReminders(tx, state.organizationId, user.id)) >= MAX_REMINDERS) {
    throw new ApiError(errors.tooManyReminders, { limit: MAX_REMINDERS });
  }
  const content = reminderText(state, user, row, { note });
  // So short a text takes a millisecond. To wait for a turn would hold the transaction's connection.
  const { html } = renderContent(state, content, { writer: user });
  const reminder = await insertReminder(tx, state.organizationId, {
    userId: user.id,
    messageId: row.id,
    note,
    content,
    renderedContent: html,
    deliverAt,
  });
  await enqueueReminder(tx, reminder);
  announceReminder(tx, reminder);
  return reminder.id;
}

/** Deletes a reminder, so that it is never delivered. The viewer's clients get an event. */
export async function cancelReminder(tx: ViewerChange, id: number): Promise<void> {
  const { user } = tx.viewer;
  const reminder = await deleteReminder(tx, tx.state.organizationId, id, user.id);
  if (!reminder) throw new ApiError(errors.reminderDoesNotExist);
  await cancel(tx, deliverReminder, String(reminder.id));
  announceRemoval(tx, reminder);
}
