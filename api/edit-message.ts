import { Type } from "typebox";
import { endpoint, inPath, optional } from "./endpoint.ts";
import { errors } from "./errors.ts";
import { messageId } from "./message.ts";

export const editMessage = endpoint({
  name: "editMessage",
  subject: "Messages",
  method: "PATCH",
  path: "/messages/{message_id}",
  access: "user",
  summary: "Edit or move a message",
  description:
    "Changes the text of a message that the caller sent, or moves messages to another topic or channel. Organization and channel say who may do what, and for how long after the sending.",
  parameters: {
    message_id: inPath(messageId, { description: "The message." }),
    content: optional(Type.String(), {
      description: "The new text, in Markdown. An empty one becomes `(deleted)`.",
    }),
    topic: optional(Type.String(), {
      description:
        "The topic to move to; one that begins with `✔ ` is a resolved one. Cut off where it is too long. A topic has one spelling: its own name with other letter case is a change only if all of the topic is moved, and renames it.",
      aliases: ["subject"],
    }),
    stream_id: optional(Type.Integer({ minimum: 0 }), { description: "The channel to move to." }),
    propagate_mode: optional(Type.Enum(["change_one", "change_later", "change_all"]), {
      description:
        "What moves: `change_one`, which is the default, the message; `change_later` also those after it in its topic; `change_all` the whole topic.",
    }),
    send_notification_to_old_thread: optional(Type.Boolean(), {
      description: "Whether a notice of the move is left where the messages were; it is not by default.",
    }),
    send_notification_to_new_thread: optional(Type.Boolean(), {
      description: "Whether a notice of the move is posted where the messages are now; it is by default.",
    }),
    prev_content_sha256: optional(Type.String({ pattern: "^[0-9a-fA-F]{64}$" }), {
      description:
        "The SHA-256 of the text that the caller edited, in hexadecimal. If the text is another one by now, nothing changes.",
    }),
  },
  reply: {
    detached_uploads: Type.Array(Type.Object({}, { additionalProperties: true }), {
      description: "Uploaded files that no message links to any more.",
    }),
  },
  errors: [
    errors.invalidMessage,
    errors.nothingToEdit,
    errors.propagationWithoutMove,
    errors.contentAndChannel,
    errors.directMessageTopic,
    errors.directMessageMove,
    errors.editingDisabled,
    errors.editingNotAllowed,
    errors.editingTooLate,
    errors.widgetNotEditable,
    errors.contentChanged,
    errors.movingNotAllowed,
    errors.resolvingNotAllowed,
    errors.movingTooLate,
    errors.moveTimeLimit,
    errors.invalidChannelId,
    errors.notAuthorizedToSend,
    errors.postingDenied,
    errors.topicRequired,
    errors.topicNotAllowed,
    errors.topicCharacter,
    errors.channelWildcardNotAllowed,
    errors.topicWildcardNotAllowed,
  ],
  example: { parameters: { message_id: 1041, content: "Soup at noon?" }, reply: { detached_uploads: [] } },
  sample: (ids) => ({ message_id: ids.ownMessageId, content: "Soup at noon?" }),
});

const snapshot = Type.Object({
  topic: Type.String({ description: "The topic after the change." }),
  content: Type.String({ description: "The text after the change, in Markdown." }),
  rendered_content: Type.String({ description: "The same as HTML." }),
  user_id: Type.Union([Type.Integer(), Type.Null()], { description: "Who changed it." }),
  timestamp: Type.Integer({ description: "When, in UNIX seconds." }),
  prev_topic: Type.Optional(Type.String({ description: "The topic before, if it changed." })),
  stream: Type.Optional(Type.Integer({ description: "The channel that it was moved to." })),
  prev_stream: Type.Optional(Type.Integer({ description: "The channel that it was moved from." })),
  prev_content: Type.Optional(Type.String({ description: "The text before, if it changed." })),
  prev_rendered_content: Type.Optional(Type.String({ description: "The same as HTML." })),
  content_html_diff: Type.Optional(
    Type.String({
      description:
        "The new text as HTML with what came and what went marked in it. Where it would take long to compare them, all of the old text went and all of the new one came; where a history is long, nothing is marked in its older entries.",
    }),
  ),
});

export const getMessageHistory = endpoint({
  name: "getMessageHistory",
  subject: "Messages",
  method: "GET",
  path: "/messages/{message_id}/history",
  access: "user",
  summary: "Get a message's edit history",
  description:
    "Returns a message as it was after each change, the original first. What it was before it came from a channel that the caller can't read is not told, nor what it was before its newest 200 changes, or before as many as fit into an answer of about 4 MiB; what comes first then has the message's author and time.",
  parameters: {
    message_id: inPath(messageId, { description: "The message." }),
    allow_empty_topic_name: optional(Type.Boolean(), {
      description: "Whether an empty topic comes as it is; by default its display name stands for it.",
    }),
  },
  reply: { message_history: Type.Array(snapshot, { description: "The states, oldest first." }) },
  errors: [errors.invalidMessage, errors.historyDisabled],
  example: {
    parameters: { message_id: 1041 },
    reply: {
      message_history: [
        {
          topic: "lunch",
          content: "Soup today?",
          rendered_content: "<p>Soup today?</p>",
          user_id: 10,
          timestamp: 1793000000,
        },
      ],
    },
  },
  sample: (ids) => ({ message_id: ids.messageId }),
});
