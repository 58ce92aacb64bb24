import { type Static, Type } from "typebox";
import { attachment } from "../content/uploads.ts";
import { endpoint, inPath, optional } from "../endpoint.ts";
import { errors } from "../errors.ts";
import { messageId } from "./message.ts";

export const editMessage = endpoint({
  name: "editMessage",
  subject: "Messages",
  method: "PATCH",
  path: "/messages/{message_id}",
  access: "user",
  summary: "Edit or move a message",
  description:
    "Changes the text of a message that the caller sent, or moves messages to another topic or channel. Settings of the organization and the channel say who may do what, and for how long after sending.",
  parameters: {
    message_id: inPath(messageId, { description: "The message." }),
    content: optional(Type.String(), {
      description: "The new text, in Markdown. An empty one becomes `(deleted)`.",
    }),
    topic: optional(Type.String(), {
      description:
        "The topic to move to. A name that begins with `✔ ` is a resolved topic. A name that is too long is truncated. A topic has one spelling: the same name in other letter case renames the topic if the whole topic is moved, and changes nothing otherwise.",
      aliases: ["subject"],
    }),
    stream_id: optional(Type.Integer({ minimum: 0 }), { description: "The channel to move to." }),
    propagate_mode: optional(Type.Enum(["change_one", "change_later", "change_all"]), {
      description:
        "What moves: the message (`change_one`, the default), also the later messages of its topic (`change_later`), or the whole topic (`change_all`).",
    }),
    send_notification_to_old_thread: optional(Type.Boolean(), {
      description: "Whether a notice of the move is posted in the old topic; `false` by default.",
    }),
    send_notification_to_new_thread: optional(Type.Boolean(), {
      description: "Whether a notice of the move is posted in the new topic; `true` by default.",
    }),
    prev_content_sha256: optional(Type.String({ pattern: "^[0-9a-fA-F]{64}$" }), {
      description:
        "The SHA-256 of the text that the caller edited, in hexadecimal. If the message's text is different now, the call fails and nothing changes.",
    }),
  },
  reply: {
    detached_uploads: Type.Array(attachment, {
      description: "Uploaded files of the caller that no message links to after the edit.",
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
    errors.emptyTopicResolved,
    errors.topicNotAllowed,
    errors.topicCharacter,
    errors.channelWildcardNotAllowed,
    errors.topicWildcardNotAllowed,
  ],
  emits: [
    "message",
    "update_message",
    "delete_message",
    "attachment/update",
    "update_message_flags/add",
    "stream/update",
    "user_topic",
    "muted_topics",
    "scheduled_messages/update",
    "drafts/update",
  ],
  example: { parameters: { message_id: 73, content: "Soup at noon?" }, reply: { detached_uploads: [] } },
  sample: (ids) => ({ message_id: ids.ownMessageId, content: "Soup at noon?" }),
});

const snapshot = Type.Object({
  topic: Type.String({ description: "The topic after the change." }),
  content: Type.String({ description: "The text after the change, in Markdown." }),
  rendered_content: Type.String({ description: "That text as HTML." }),
  user_id: Type.Union([Type.Integer(), Type.Null()], { description: "Who changed it." }),
  timestamp: Type.Integer({ description: "When, in UNIX seconds." }),
  prev_topic: Type.Optional(Type.String({ description: "The topic before, if it changed." })),
  stream: Type.Optional(Type.Integer({ description: "The channel that it was moved to." })),
  prev_stream: Type.Optional(Type.Integer({ description: "The channel that it was moved from." })),
  prev_content: Type.Optional(Type.String({ description: "The text before, if it changed." })),
  prev_rendered_content: Type.Optional(Type.String({ description: "That text as HTML." })),
  content_html_diff: Type.Optional(
    Type.String({
      description:
        "The new text as HTML, with insertions and deletions marked. If comparing the two takes too long, the whole old text is shown as deleted and the whole new text as inserted. In a long history, older entries are not marked.",
    }),
  ),
});

/** A message as it was after one of its changes. */
export type MessageSnapshot = Static<typeof snapshot>;

export const getMessageHistory = endpoint({
  name: "getMessageHistory",
  subject: "Messages",
  method: "GET",
  path: "/messages/{message_id}/history",
  access: "user",
  summary: "Get a message's edit history",
  description:
    "Returns a message as it was after each change, the original first. States in a channel that the caller can't read are left out. Only the newest 200 changes are returned, or as many as fit into a response of about 4 MiB. If older states are missing, the first one returned has the message's author and time.",
  parameters: {
    message_id: inPath(messageId, { description: "The message." }),
    allow_empty_topic_name: optional(Type.Boolean(), {
      description:
        "Whether an empty topic name is returned as it is; by default its display name is returned instead.",
    }),
  },
  reply: { message_history: Type.Array(snapshot, { description: "The states, oldest first." }) },
  errors: [errors.invalidMessage, errors.historyDisabled],
  emits: [],
  example: {
    parameters: { message_id: 72 },
    reply: {
      message_history: [
        {
          topic: "lunch",
          content: "Soup today?",
          rendered_content: "<p>Soup today?</p>",
          user_id: 1,
          timestamp: 1793000000,
        },
      ],
    },
  },
  sample: (ids) => ({ message_id: ids.messageId }),
});
