import { Type } from "typebox";
import { endpoint, inPath, optional, required } from "../endpoint.ts";
import { errors } from "../errors.ts";
import { exampleReminder, reminder, reminderId } from "../events/reminders.ts";
import { MAX_REMINDER_NOTE_LENGTH, MAX_REMINDERS } from "../limits.ts";
import { messageId } from "../messages/message.ts";
import { deliveryTime, deliveryTimeRule, tomorrow } from "./scheduled-messages.ts";

export const createReminder = endpoint({
  name: "createReminder",
  subject: "Reminders",
  method: "POST",
  path: "/reminders",
  access: "user",
  summary: "Set a reminder",
  description: `Reminds the caller of a message at the given time, by a direct message of the notification bot. It quotes the message if the caller may still read it then. One person can have ${MAX_REMINDERS} reminders.`,
  parameters: {
    message_id: required(messageId, { description: "The message, which the caller can read." }),
    scheduled_delivery_timestamp: required(deliveryTime, {
      description: `When to remind, ${deliveryTimeRule}.`,
    }),
    note: optional(Type.String(), {
      description: `A text for oneself, in Markdown, of at most ${MAX_REMINDER_NOTE_LENGTH} characters.`,
    }),
  },
  reply: { reminder_id: reminderId },
  errors: [
    errors.invalidMessage,
    errors.tooLong,
    errors.deliveryTimeNotInFuture,
    errors.deliveryTimeTooFar,
    errors.tooManyReminders,
  ],
  emits: ["reminders/add"],
  example: {
    parameters: { message_id: 72, scheduled_delivery_timestamp: 1900000000 },
    reply: { reminder_id: 9 },
  },
  sample: (ids) => ({ message_id: ids.messageId, scheduled_delivery_timestamp: tomorrow() }),
});

export const getReminders = endpoint({
  name: "getReminders",
  subject: "Reminders",
  method: "GET",
  path: "/reminders",
  access: "user",
  summary: "Get reminders",
  description: "Returns the caller's reminders that are to come.",
  parameters: {},
  reply: { reminders: Type.Array(reminder, { description: "The reminders, the next one first." }) },
  errors: [],
  emits: [],
  example: { parameters: {}, reply: { reminders: [exampleReminder] } },
  sample: () => ({}),
});

export const deleteReminder = endpoint({
  name: "deleteReminder",
  subject: "Reminders",
  method: "DELETE",
  path: "/reminders/{reminder_id}",
  access: "user",
  summary: "Delete a reminder",
  description: "Deletes a reminder before it is delivered. It is then never delivered.",
  parameters: { reminder_id: inPath(Type.Integer(), { description: "The reminder." }) },
  reply: {},
  errors: [errors.reminderDoesNotExist],
  emits: ["reminders/remove"],
  example: { parameters: { reminder_id: 1 }, reply: {} },
  sample: (ids) => ({ reminder_id: ids.reminderId }),
});
