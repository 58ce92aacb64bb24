import { Type } from "typebox";
import { endpoint, inPath, optional, required } from "./endpoint.ts";
import { errors } from "./errors.ts";
import { exampleMessage, flagNames, messageFields, messageId } from "./message.ts";
import { widgetContent } from "./widgets.ts";

/** A message in a listing, with the caller's flags. */
const listedMessage = Type.Object({
  ...messageFields,
  flags: flagNames,
  match_content: Type.Optional(
    Type.String({
      description:
        "In answer to a search: the text as HTML, with what was looked for in `span` elements of the class `highlight`.",
    }),
  ),
  match_subject: Type.Optional(Type.String({ description: "In answer to a search: the topic, likewise." })),
});

const applyMarkdown = optional(Type.Boolean(), {
  description: "Whether content comes as HTML, which is the default, or as the Markdown that was written.",
});
export const allowEmptyTopicName = optional(Type.Boolean(), {
  description: "Whether an empty topic comes as it is; by default its display name stands for it.",
});

export const sendMessage = endpoint({
  name: "sendMessage",
  subject: "Messages",
  method: "POST",
  path: "/messages",
  access: "user",
  summary: "Send a message",
  description:
    "Sends a message to a channel, under a topic, or directly to people. The sender is always among the people of a direct message. A text that is too long is cut at the end, which is no error.",
  parameters: {
    type: required(
      Type.Union([
        Type.Literal("direct"),
        Type.Literal("channel"),
        Type.Literal("stream"),
        Type.Literal("private"),
      ]),
      { description: "`direct` or `channel`; `private` and `stream` are older words for the same." },
    ),
    to: required(
      Type.Union([Type.Integer(), Type.Array(Type.Union([Type.Integer(), Type.String()])), Type.String()]),
      {
        description:
          "For a channel its name or ID. For a direct message a list of user IDs or of API emails; one ID, one email, or emails separated by commas will do.",
      },
    ),
    content: required(Type.String(), {
      description: "The text, in Markdown; at most `max_message_length` characters.",
    }),
    topic: optional(Type.String(), {
      description:
        "The topic, for channel messages; at most `max_topic_length` characters. `(no topic)` and the display name of the empty topic mean the empty topic.",
      aliases: ["subject"],
    }),
    queue_id: optional(Type.String(), {
      description:
        "The caller's queue, for local echo: the event there carries `local_id`. Needs `local_id`.",
    }),
    local_id: optional(Type.String({ maxLength: 256 }), {
      description: "Chosen by the client; returned untouched.",
    }),
    read_by_sender: optional(Type.Boolean(), {
      description: "Whether the sender has read the message; by default it depends on the client program.",
    }),
    widget_content: optional(widgetContent, {
      description:
        "Makes the message one that people can act on; a text that begins with `/poll` or `/todo` does so by itself.",
    }),
  },
  reply: {
    id: Type.Integer({ description: "The new message's ID." }),
    automatic_new_visibility_policy: Type.Optional(
      Type.Integer({
        description:
          "The sender's new visibility policy for the topic, if sending changed it: 2 unmuted, 3 followed.",
      }),
    ),
  },
  errors: [
    errors.channelDoesNotExist,
    errors.channelIdDoesNotExist,
    errors.channelWildcardNotAllowed,
    errors.topicWildcardNotAllowed,
    errors.groupMentionNotAllowed,
    errors.emptyMessage,
    errors.noRecipients,
    errors.tooManyRecipients,
    errors.mixedRecipients,
    errors.oneChannel,
    errors.invalidRecipientEmail,
    errors.invalidRecipientId,
    errors.recipientDeactivated,
    errors.directMessagesNotAllowed,
    errors.queueIdNeedsLocalId,
    errors.notAuthorizedToSend,
    errors.postingDenied,
    errors.missingTopic,
    errors.topicRequired,
    errors.topicNotAllowed,
    errors.topicCharacter,
  ],
  example: {
    parameters: { type: "channel", to: "general", topic: "lunch", content: "Soup today?" },
    reply: { id: 1041 },
  },
  sample: (ids) => ({
    type: "channel" as const,
    to: ids.channelId,
    topic: ids.topic,
    content: "Good morning.",
  }),
});

const operand = Type.Union([
  Type.String(),
  Type.Integer(),
  Type.Array(Type.Union([Type.Integer(), Type.String()])),
]);

/** The parameter `narrow` of everything that reads messages; its operators are the server's to know. */
export const narrowParameter = optional(
  Type.Array(
    Type.Union([
      Type.Object({
        operator: Type.String({ description: "What is looked at, such as `channel` or `sender`." }),
        operand: Type.Union(operand.anyOf, { description: "What it must be." }),
        negated: Type.Optional(Type.Boolean({ description: "Whether it must not be that." })),
      }),
      Type.Array(operand, { minItems: 2, maxItems: 2 }),
    ]),
    { maxItems: 100 },
  ),
  {
    description:
      "Which messages, as a list of conditions that must all hold, each an object or a pair of operator and operand. Without one, all messages that the caller received. By place: `channel` (name or ID), `channels` (`public`, `web-public` or `all`), `topic`, `dm` (the people of a conversation, by ID or email), `dm-including` (among others), `with` (the conversation that the message with that ID is in now). By people: `sender` and `mentions` (ID, email or `me`). By what it is: `is` (`dm`, `unread`, `starred`, `mentioned`, `alerted`, `resolved`, `followed` or `muted`), `has` (`link`, `image`, `attachment` or `reaction`), `in` (`home`: nothing muted; `all`), `search` (words, and phrases between quotation marks), `id`. `near` names an anchor and leaves nothing out. `stream`, `streams`, `subject`, `from`, `pm-with` and `group-pm-with` are older names.",
    invalid: "variable-invalid",
  },
);

export const anchorDate = optional(Type.String({ maxLength: 40 }), {
  description:
    "With `anchor=date`, in the form of ISO 8601: the anchor is the first message that matches and was sent then or later.",
});

export const includeAnchor = optional(Type.Boolean(), {
  description: "Whether the message with the anchor's ID counts if it matches; by default it does.",
});

const count = Type.Integer({ minimum: 0 });

export const getMessages = endpoint({
  name: "getMessages",
  subject: "Messages",
  method: "GET",
  path: "/messages",
  access: "spectator",
  summary: "Get messages",
  description:
    "Returns the messages around an anchor that match a narrow, oldest first, or those with the given IDs. An answer has at most 8 MiB of text, and 2 MiB where words are searched for: what would be more is left out, the farthest from the anchor first, and the end of that side is not found. Someone without an account gets messages of web-public channels only, and must name one, or say `channels:web-public`.",
  parameters: {
    anchor: optional(Type.String(), {
      description:
        "A message ID, or `newest`, `oldest`, `first_unread` or `date`. Required unless `message_ids` is given.",
    }),
    anchor_date: anchorDate,
    include_anchor: includeAnchor,
    num_before: optional(count, {
      description: "How many messages with smaller IDs. Required unless `message_ids` is given.",
      invalid: "variable-invalid",
    }),
    num_after: optional(count, {
      description: "How many messages with larger IDs. Required unless `message_ids` is given.",
      invalid: "variable-invalid",
    }),
    narrow: narrowParameter,
    client_gravatar: optional(Type.Boolean(), {
      description:
        "Whether `avatar_url` is null where the client can work it out from the email; by default it is.",
    }),
    apply_markdown: applyMarkdown,
    use_first_unread_anchor: optional(Type.Boolean(), {
      description: "The older way to say `first_unread`; it counts over `anchor`.",
    }),
    message_ids: optional(Type.Array(messageId), {
      description:
        "The messages to return, in place of an anchor; those that the caller can't read are left out, and the oldest where they have too much text together.",
    }),
    allow_empty_topic_name: allowEmptyTopicName,
  },
  reply: {
    messages: Type.Array(listedMessage, { description: "The messages, oldest first." }),
    anchor: Type.Optional(Type.Integer({ description: "The anchor as a number." })),
    found_anchor: Type.Optional(
      Type.Boolean({ description: "Whether the message with the anchor's ID is returned." }),
    ),
    found_oldest: Type.Optional(
      Type.Boolean({ description: "Whether nothing older than what is returned matches." }),
    ),
    found_newest: Type.Optional(
      Type.Boolean({ description: "Whether nothing newer than what is returned matches." }),
    ),
    history_limited: Type.Boolean({
      description: "Whether a plan's limits hide older messages: never here.",
    }),
  },
  errors: [
    errors.badNarrow,
    errors.tooManyMessages,
    errors.anchorExcluded,
    errors.missingAnchor,
    errors.invalidAnchor,
    errors.invalidAnchorDate,
    errors.incompatibleParameters,
  ],
  example: {
    parameters: {
      anchor: "newest",
      num_before: 1,
      num_after: 0,
      narrow: [{ operator: "channel", operand: "general" }],
    },
    reply: {
      messages: [{ ...exampleMessage, flags: ["read"] }],
      anchor: 10000000000000000,
      found_anchor: false,
      found_oldest: false,
      found_newest: true,
      history_limited: false,
    },
  },
  sample: (ids) => ({
    anchor: "newest",
    num_before: 10,
    num_after: 0,
    narrow: [{ operator: "channel", operand: ids.channelId }],
  }),
});

export const getMessage = endpoint({
  name: "getMessage",
  subject: "Messages",
  method: "GET",
  path: "/messages/{message_id}",
  access: "spectator",
  summary: "Get one message",
  description: "Returns a message that the caller may read.",
  parameters: {
    message_id: inPath(messageId, { description: "The message." }),
    apply_markdown: applyMarkdown,
    allow_empty_topic_name: allowEmptyTopicName,
  },
  reply: {
    message: Type.Object(listedMessage.properties, { description: "The message." }),
    raw_content: Type.String({ description: "The Markdown that was written." }),
  },
  errors: [errors.invalidMessage],
  example: {
    parameters: { message_id: 1041 },
    reply: { message: { ...exampleMessage, flags: ["read"] }, raw_content: "Soup today?" },
  },
  sample: (ids) => ({ message_id: ids.messageId }),
});

export const renderMessage = endpoint({
  name: "renderMessage",
  subject: "Messages",
  method: "POST",
  path: "/messages/render",
  access: "user",
  summary: "Render a message",
  description: "Returns a text as the HTML that a message with it would have. Nothing is sent.",
  parameters: { content: required(Type.String(), { description: "The text, in Markdown." }) },
  reply: { rendered: Type.String({ description: "The text as HTML." }) },
  errors: [errors.emptyMessage],
  example: { parameters: { content: "**Soup**" }, reply: { rendered: "<p><strong>Soup</strong></p>" } },
  sample: () => ({ content: "**Soup**" }),
});

export const checkMessagesMatchNarrow = endpoint({
  name: "checkMessagesMatchNarrow",
  subject: "Messages",
  method: "GET",
  path: "/messages/matches_narrow",
  access: "user",
  summary: "Check which messages match a narrow",
  description:
    "Returns those of some messages that match a narrow and that the caller can read: for messages that came by events. Words are found in them at once. Of messages that have more than 8 MiB of text together, or 2 MiB where words are searched for, the oldest are left out.",
  parameters: {
    msg_ids: required(Type.Array(messageId), { description: "The messages; at most 5,000." }),
    narrow: narrowParameter,
  },
  reply: {
    messages: Type.Record(
      Type.String(),
      Type.Object({
        match_content: Type.String({
          description:
            "The text as HTML; if the narrow searches for words, they are in `span` elements of the class `highlight`.",
        }),
        match_subject: Type.String({ description: "The topic as HTML, likewise." }),
      }),
      { description: "Those that match, by their IDs." },
    ),
  },
  errors: [errors.badNarrow, errors.tooManyMessages],
  example: {
    parameters: { msg_ids: [1041], narrow: [{ operator: "channel", operand: "general" }] },
    reply: { messages: { "1041": { match_content: "<p>Soup today?</p>", match_subject: "lunch" } } },
  },
  sample: (ids) => ({
    msg_ids: [ids.messageId],
    narrow: [{ operator: "topic", operand: ids.topic }],
  }),
});
