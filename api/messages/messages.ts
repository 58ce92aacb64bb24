import { type Static, Type } from "typebox";
import { endpoint, inPath, optional, required } from "../endpoint.ts";
import { errors } from "../errors.ts";
import { exampleMessage, flagNames, messageFields, messageId } from "./message.ts";
import { widgetContent } from "./widgets.ts";

/** A message in a listing, with the caller's flags. */
const listedMessage = Type.Object({
  ...messageFields,
  flags: flagNames,
  match_content: Type.Optional(
    Type.String({
      description:
        "For a search: the text as HTML, with the matched words in `span` elements of the class `highlight`.",
    }),
  ),
  match_subject: Type.Optional(
    Type.String({ description: "For a search: the topic as HTML, with the matched words highlighted." }),
  ),
});

export type ListedMessage = Static<typeof listedMessage>;

const applyMarkdown = optional(Type.Boolean(), {
  description: "Whether content is returned as HTML (the default) or as the original Markdown.",
});
export const allowEmptyTopicName = optional(Type.Boolean(), {
  description:
    "Whether an empty topic name is returned as it is; by default its display name is returned instead.",
});

export const sendMessage = endpoint({
  name: "sendMessage",
  subject: "Messages",
  method: "POST",
  path: "/messages",
  access: "user",
  isForWriteOnlyBots: true,
  summary: "Send a message",
  description:
    "Sends a message to a topic of a channel, or directly to people. The sender is always part of a direct-message conversation. A text that is too long is truncated without an error.",
  parameters: {
    type: required(
      Type.Union([
        Type.Literal("direct"),
        Type.Literal("channel"),
        Type.Literal("stream"),
        Type.Literal("private"),
      ]),
      { description: "`direct` or `channel`; `private` and `stream` are their older names." },
    ),
    to: optional(
      Type.Union([Type.Integer(), Type.Array(Type.Union([Type.Integer(), Type.String()])), Type.String()]),
      {
        description:
          "For a channel: its name or ID. Only bots with a `default_sending_stream` may leave it out, which sends there. For a direct message: a list of user IDs or of API emails, a single one of either, or emails separated by commas.",
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
        "The caller's event queue, for local echo: the event in this queue carries `local_id`. Requires `local_id`.",
    }),
    local_id: optional(Type.String({ maxLength: 256 }), {
      description: "An ID of the client's choice, returned unchanged in the event.",
    }),
    read_by_sender: optional(Type.Boolean(), {
      description:
        "Whether the message starts as read by its sender; by default it depends on the client program.",
    }),
    widget_content: optional(widgetContent, {
      description:
        "Makes the message interactive. A text that begins with `/poll` or `/todo` does so without this parameter.",
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
    errors.missingRecipient,
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
    errors.emptyTopicResolved,
    errors.topicNotAllowed,
    errors.topicCharacter,
  ],
  emits: [
    "message",
    "attachment/update",
    "user_topic",
    "muted_topics",
    "realm_user/add",
    "user_status",
    "user_group/add_members",
  ],
  example: {
    parameters: { type: "channel", to: "general", topic: "lunch", content: "Soup today?" },
    reply: { id: 72 },
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

/** The parameter `narrow` of all endpoints that read messages. The server checks the operators. */
export const narrowParameter = optional(
  Type.Array(
    Type.Union([
      Type.Object({
        operator: Type.String({ description: "What to compare, such as `channel` or `sender`." }),
        operand: Type.Union(operand.anyOf, { description: "The value to compare with." }),
        negated: Type.Optional(Type.Boolean({ description: "Whether the condition must not hold." })),
      }),
      Type.Array(operand, { minItems: 2, maxItems: 2 }),
    ]),
    { maxItems: 100 },
  ),
  {
    description:
      "Which messages: a list of conditions that must all hold, each an object or a pair of operator and operand. Without conditions, all messages that the caller received. By place: `channel` (name or ID), `channels` (`public`, `web-public` or `all`), `topic`, `dm` (the people of a conversation, by ID or email), `dm-including` (conversations that include these people), `with` (the current conversation of the message with that ID). By people: `sender` and `mentions` (ID, email or `me`). By property: `is` (`dm`, `unread`, `starred`, `mentioned`, `alerted`, `resolved`, `followed` or `muted`), `has` (`link`, `image`, `attachment` or `reaction`), `in` (`home`: without muted messages; `all`), `search` (words, and phrases between quotation marks), `id`. `near` sets the anchor and filters nothing. `stream`, `streams`, `subject`, `from`, `pm-with` and `group-pm-with` are older names.",
    invalid: "variable-invalid",
  },
);

export const anchorDate = optional(Type.String({ maxLength: 40 }), {
  description:
    "For `anchor=date`: a time in ISO 8601 format. The anchor is the first matching message sent at or after this time.",
});

export const includeAnchor = optional(Type.Boolean(), {
  description: "Whether to include the message with the anchor's ID if it matches; `true` by default.",
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
    "Returns the messages around an anchor that match a narrow, oldest first, or the messages with the given IDs. A response has at most 8 MiB of text, or 2 MiB for a search for words. Beyond that, the messages farthest from the anchor are left out, and `found_oldest` or `found_newest` is false for that side. Callers without an account get messages of web-public channels only; their narrow must name such a channel or be `channels:web-public`.",
  parameters: {
    anchor: optional(Type.String(), {
      description:
        "A message ID, or `newest`, `oldest`, `first_unread` or `date`. Required unless `message_ids` is given.",
    }),
    anchor_date: anchorDate,
    include_anchor: includeAnchor,
    num_before: optional(count, {
      description: "How many messages with smaller IDs to return. Required unless `message_ids` is given.",
      invalid: "variable-invalid",
    }),
    num_after: optional(count, {
      description: "How many messages with larger IDs to return. Required unless `message_ids` is given.",
      invalid: "variable-invalid",
    }),
    narrow: narrowParameter,
    client_gravatar: optional(Type.Boolean(), {
      description:
        "Whether `avatar_url` is null if the client can compute it from the email; `true` by default.",
    }),
    apply_markdown: applyMarkdown,
    use_first_unread_anchor: optional(Type.Boolean(), {
      description: "The older form of `anchor=first_unread`; it overrides `anchor`.",
    }),
    message_ids: optional(Type.Array(messageId), {
      description:
        "The messages to return, instead of an anchor. Messages that the caller can't read are left out. If the messages have too much text together, the oldest are left out.",
    }),
    allow_empty_topic_name: allowEmptyTopicName,
  },
  reply: {
    messages: Type.Array(listedMessage, { description: "The messages, oldest first." }),
    anchor: Type.Optional(
      Type.Integer({
        description:
          "The anchor as a number. If only one side was asked for and the search ended early, it is the ID up to which the server searched.",
      }),
    ),
    found_anchor: Type.Optional(
      Type.Boolean({ description: "Whether the response includes the message with the anchor's ID." }),
    ),
    found_oldest: Type.Optional(
      Type.Boolean({ description: "Whether no matching message is older than the returned ones." }),
    ),
    found_newest: Type.Optional(
      Type.Boolean({ description: "Whether no matching message is newer than the returned ones." }),
    ),
    searched_from: Type.Optional(
      Type.Integer({
        description:
          "Present when a search for words ended early among older messages, which takes the server too long at once. No message between this ID and the anchor is missing. To go on, ask for the messages before this ID.",
      }),
    ),
    searched_to: Type.Optional(
      Type.Integer({
        description:
          "The same among newer messages: no message between the anchor and this ID is missing. To go on, ask for the messages after this ID.",
      }),
    ),
    history_limited: Type.Boolean({
      description: "Whether the organization's plan hides older messages: always false here.",
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
  emits: [],
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
  description: "Returns a message that the caller can read.",
  parameters: {
    message_id: inPath(messageId, { description: "The message." }),
    apply_markdown: applyMarkdown,
    allow_empty_topic_name: allowEmptyTopicName,
  },
  reply: {
    message: Type.Object(listedMessage.properties, { description: "The message." }),
    raw_content: Type.String({ description: "The original Markdown." }),
  },
  errors: [errors.invalidMessage],
  emits: [],
  example: {
    parameters: { message_id: 72 },
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
  description: "Returns the HTML that a message with this text would have. Nothing is sent.",
  parameters: { content: required(Type.String(), { description: "The text, in Markdown." }) },
  reply: { rendered: Type.String({ description: "The text as HTML." }) },
  errors: [errors.emptyMessage],
  emits: [],
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
    "Returns which of the given messages match a narrow and can be read by the caller. It is meant for messages that a client received as events; a search finds words in them immediately. If the messages have more than 8 MiB of text together, or 2 MiB for a search for words, the oldest are left out.",
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
            "The text as HTML. If the narrow searches for words, they are in `span` elements of the class `highlight`.",
        }),
        match_subject: Type.String({ description: "The topic as HTML, highlighted in the same way." }),
      }),
      { description: "The matching messages, by ID." },
    ),
  },
  errors: [errors.badNarrow, errors.tooManyMessages],
  emits: [],
  example: {
    parameters: { msg_ids: [72], narrow: [{ operator: "channel", operand: "general" }] },
    reply: { messages: { "72": { match_content: "<p>Soup today?</p>", match_subject: "lunch" } } },
  },
  sample: (ids) => ({
    msg_ids: [ids.messageId],
    narrow: [{ operator: "topic", operand: ids.topic }],
  }),
});
