import { Type } from "typebox";
import { event } from "../event.ts";

const reminderFields = {
  reminder_id: Type.Integer({ description: "The reminder's ID." }),
  type: Type.Literal("private", { description: "It comes as a direct message." }),
  to: Type.Array(Type.Integer(), { description: "The ID of the user who set it, and who gets it." }),
  content: Type.String({
    description: "What it says, in Markdown. What it quotes of the message is added when it is delivered.",
  }),
  rendered_content: Type.String({ description: "What it says, as HTML." }),
  scheduled_delivery_timestamp: Type.Integer({ description: "When it is delivered, in UNIX seconds." }),
  failed: Type.Boolean({ description: "Always false: a reminder is delivered in any case." }),
  reminder_target_message_id: Type.Integer({ description: "The message that it is about." }),
};

export const reminder = Type.Object(reminderFields);

export const reminderId = reminderFields.reminder_id;

export const exampleReminder = {
  reminder_id: 9,
  type: "private" as const,
  to: [10],
  content: "You asked to be reminded of [a message](/#narrow/id/1041).",
  rendered_content: '<p>You asked to be reminded of <a href="/#narrow/id/1041">a message</a>.</p>',
  scheduled_delivery_timestamp: 1900000000,
  failed: false,
  reminder_target_message_id: 1041,
};

export const remindersAdded = event({
  type: "reminders",
  op: "add",
  description: "The user set a reminder.",
  payload: { reminders: Type.Array(reminder, { description: "The new reminder." }) },
  example: { reminders: [exampleReminder] },
});

export const reminderRemoved = event({
  type: "reminders",
  op: "remove",
  description: "A reminder was delivered, or the user deleted it.",
  payload: { reminder_id: reminderId },
  example: { reminder_id: 9 },
});
