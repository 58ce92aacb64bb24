import { Type } from "typebox";
import { event } from "../event.ts";

const scheduledMessageFields = {
  scheduled_message_id: Type.Integer({
    description: "The scheduled message's ID. The message gets another ID when it is sent.",
  }),
  type: Type.Enum(["stream", "private"], {
    description: "`stream` for a channel message, `private` for a direct one.",
  }),
  to: Type.Union([Type.Integer(), Type.Array(Type.Integer())], {
    description:
      "The channel's ID, or the IDs of the people without the sender. A message to oneself has the sender's ID.",
  }),
  topic: Type.Optional(
    Type.String({ description: "The topic, for channel messages. The empty topic is an empty text." }),
  ),
  content: Type.String({ description: "The text, in Markdown." }),
  rendered_content: Type.String({
    description: "The text as HTML, as of when it was written. It is rendered again when it is sent.",
  }),
  scheduled_delivery_timestamp: Type.Integer({ description: "When it is to be sent, in UNIX seconds." }),
  failed: Type.Boolean({
    description: "Whether the server tried to send it and could not. A new time makes it try again.",
  }),
};

export const scheduledMessage = Type.Object(scheduledMessageFields);

export const scheduledMessageId = scheduledMessageFields.scheduled_message_id;

export const exampleScheduledMessage = {
  scheduled_message_id: 27,
  type: "stream" as const,
  to: 14,
  topic: "lunch",
  content: "Soup is *ready*",
  rendered_content: "<p>Soup is <em>ready</em></p>",
  scheduled_delivery_timestamp: 1900000000,
  failed: false,
};

export const scheduledMessagesAdded = event({
  type: "scheduled_messages",
  op: "add",
  description: "The user scheduled a message.",
  payload: {
    scheduled_messages: Type.Array(scheduledMessage, { description: "The new scheduled message." }),
  },
  example: { scheduled_messages: [exampleScheduledMessage] },
});

export const scheduledMessageUpdated = event({
  type: "scheduled_messages",
  op: "update",
  description:
    "The user changed a scheduled message, all messages of its topic moved, or it could not be sent at its time.",
  payload: { scheduled_message: { ...scheduledMessage, description: "The whole message as it is now." } },
  example: { scheduled_message: { ...exampleScheduledMessage, failed: true } },
});

export const scheduledMessageRemoved = event({
  type: "scheduled_messages",
  op: "remove",
  description: "A scheduled message was sent, or the user deleted it.",
  payload: { scheduled_message_id: scheduledMessageId },
  example: { scheduled_message_id: 27 },
});
