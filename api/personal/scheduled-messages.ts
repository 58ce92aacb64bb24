import { Type } from "typebox";
import { endpoint, inPath, optional, required } from "../endpoint.ts";
import { errors } from "../errors.ts";
import {
  exampleScheduledMessage,
  scheduledMessage,
  scheduledMessageId,
} from "../events/scheduled-messages.ts";
import { MAX_SCHEDULED_MESSAGES, MAX_YEARS_AHEAD } from "../limits.ts";

const messageType = Type.Enum(["direct", "channel", "stream", "private"]);
const addressees = Type.Union([Type.Integer(), Type.Array(Type.Integer())]);
export const deliveryTime = Type.Integer();
export const deliveryTimeRule = `in UNIX seconds: in the future, and within the next ${MAX_YEARS_AHEAD} years`;

const toRule = "The channel's ID, or a list of the people's IDs.";
const typeRule = "`direct` or `channel`; `private` and `stream` are their older names.";

/** What makes a send fail, by the checks that a scheduled message gets too. */
const errorsOfSending = [
  errors.channelIdDoesNotExist,
  errors.channelWildcardNotAllowed,
  errors.topicWildcardNotAllowed,
  errors.groupMentionNotAllowed,
  errors.emptyMessage,
  errors.noRecipients,
  errors.tooManyRecipients,
  errors.oneChannel,
  errors.invalidRecipientId,
  errors.recipientDeactivated,
  errors.directMessagesNotAllowed,
  errors.notAuthorizedToSend,
  errors.postingDenied,
  errors.topicRequired,
  errors.emptyTopicResolved,
  errors.topicNotAllowed,
  errors.topicCharacter,
];

export const getScheduledMessages = endpoint({
  name: "getScheduledMessages",
  subject: "Scheduled messages",
  method: "GET",
  path: "/scheduled_messages",
  access: "user",
  summary: "Get scheduled messages",
  description: "Returns the caller's messages that are yet to be sent, and those that could not be sent.",
  parameters: {},
  reply: {
    scheduled_messages: Type.Array(scheduledMessage, { description: "The messages, the next one first." }),
  },
  errors: [],
  emits: [],
  example: { parameters: {}, reply: { scheduled_messages: [exampleScheduledMessage] } },
  sample: () => ({}),
});

export const scheduleMessage = endpoint({
  name: "scheduleMessage",
  subject: "Scheduled messages",
  method: "POST",
  path: "/scheduled_messages",
  access: "user",
  summary: "Schedule a message",
  description: `Keeps a message and sends it at the given time. It must be a message that the caller could send now. At its time it is checked again, and a message that can't be sent then is marked as failed. One person can have ${MAX_SCHEDULED_MESSAGES} of them.`,
  parameters: {
    type: required(messageType, { description: typeRule }),
    to: required(addressees, { description: toRule }),
    content: required(Type.String(), {
      description: "The text, in Markdown; at most `max_message_length` characters.",
    }),
    topic: optional(Type.String(), {
      description: "The topic, for channel messages; at most `max_topic_length` characters.",
    }),
    scheduled_delivery_timestamp: required(deliveryTime, {
      description: `When to send it, ${deliveryTimeRule}.`,
    }),
    read_by_sender: optional(Type.Boolean(), {
      description:
        "Whether the message starts as read by its sender; by default it depends on the client program.",
    }),
  },
  reply: { scheduled_message_id: scheduledMessageId },
  errors: [
    ...errorsOfSending,
    errors.missingTopic,
    errors.deliveryTimeNotInFuture,
    errors.deliveryTimeTooFar,
    errors.tooManyScheduledMessages,
  ],
  emits: ["scheduled_messages/add"],
  example: {
    parameters: {
      type: "channel",
      to: 1,
      topic: "lunch",
      content: "Soup is *ready*",
      scheduled_delivery_timestamp: 1900000000,
    },
    reply: { scheduled_message_id: 27 },
  },
  sample: (ids) => ({
    type: "channel" as const,
    to: ids.channelId,
    topic: ids.topic,
    content: "Good morning.",
    scheduled_delivery_timestamp: tomorrow(),
  }),
});

export const updateScheduledMessage = endpoint({
  name: "updateScheduledMessage",
  subject: "Scheduled messages",
  method: "PATCH",
  path: "/scheduled_messages/{scheduled_message_id}",
  access: "user",
  summary: "Change a scheduled message",
  description:
    "Changes what is given. If that is more than the time, it must then be a message that the caller could send now.",
  parameters: {
    scheduled_message_id: inPath(Type.Integer(), { description: "The scheduled message." }),
    type: optional(messageType, {
      description: `${typeRule} Another type needs \`to\`, and for a channel \`topic\`.`,
    }),
    to: optional(addressees, { description: toRule }),
    content: optional(Type.String(), { description: "The new text, in Markdown." }),
    topic: optional(Type.String(), {
      description: "The new topic, for channel messages. It has no effect on a direct message.",
    }),
    scheduled_delivery_timestamp: optional(deliveryTime, {
      description: `When to send it, ${deliveryTimeRule}. Required for a message that has failed.`,
    }),
  },
  reply: {},
  errors: [
    ...errorsOfSending,
    errors.scheduledMessageDoesNotExist,
    errors.nothingToEdit,
    errors.recipientRequiredForType,
    errors.topicRequiredForType,
    errors.deliveryTimeNotInFuture,
    errors.deliveryTimeTooFar,
  ],
  emits: ["scheduled_messages/update"],
  example: { parameters: { scheduled_message_id: 1, content: "Soup is *ready*!" }, reply: {} },
  sample: (ids) => ({ scheduled_message_id: ids.scheduledMessageId, content: "Good evening." }),
});

export const deleteScheduledMessage = endpoint({
  name: "deleteScheduledMessage",
  subject: "Scheduled messages",
  method: "DELETE",
  path: "/scheduled_messages/{scheduled_message_id}",
  access: "user",
  summary: "Delete a scheduled message",
  description: "Deletes a message before it is sent. It is then never sent.",
  parameters: {
    scheduled_message_id: inPath(Type.Integer(), { description: "The scheduled message." }),
  },
  reply: {},
  errors: [errors.scheduledMessageDoesNotExist],
  emits: ["scheduled_messages/remove"],
  example: { parameters: { scheduled_message_id: 1 }, reply: {} },
  sample: (ids) => ({ scheduled_message_id: ids.scheduledMessageId }),
});

/** For sample calls, which need a time in the future. */
export function tomorrow(): number {
  return Math.floor(Date.now() / 1000) + 24 * 3600;
}
