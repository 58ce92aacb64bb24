import { Type } from "typebox";
import { endpoint, inPath, optional, required } from "../endpoint.ts";
import { errors } from "../errors.ts";
import { messageId } from "./message.ts";

const op = required(Type.Union([Type.Literal("start"), Type.Literal("stop")]), {
  description: "`start` or `stop`.",
});

export const setTypingStatus = endpoint({
  name: "setTypingStatus",
  subject: "Typing",
  method: "POST",
  path: "/typing",
  access: "user",
  summary: "Send a typing notification",
  description:
    "Notifies the people of a direct message, or the subscribers of a channel, that the caller has started or stopped typing. In a channel with more than 100 subscribers nobody is notified.",
  parameters: {
    type: optional(
      Type.Union([
        Type.Literal("direct"),
        Type.Literal("stream"),
        Type.Literal("channel"),
        Type.Literal("private"),
      ]),
      {
        description: "`direct`, which is the default, or `channel`; `stream` and `private` are older names.",
      },
    ),
    op,
    to: optional(Type.Array(Type.Integer()), {
      description: "User IDs of the direct message's recipients; required for a direct message.",
    }),
    stream_id: optional(Type.Integer({ minimum: 0 }), {
      description: "The channel; required for a channel.",
    }),
    topic: optional(Type.String(), { description: "The topic; required for a channel." }),
  },
  reply: {},
  errors: [
    errors.emptyTo,
    errors.tooManyRecipients,
    errors.invalidRecipientId,
    errors.directMessagesNotAllowed,
    errors.missingStreamId,
    errors.missingTopic,
    errors.topicCharacter,
    errors.invalidChannelId,
    errors.notAuthorizedToSend,
    errors.postingDenied,
    errors.typingDisabled,
  ],
  emits: ["typing/start", "typing/stop"],
  example: { parameters: { op: "start", to: [5] }, reply: {} },
  sample: (ids) => ({ op: "start" as const, to: [ids.userId] }),
});

export const setMessageEditTypingStatus = endpoint({
  name: "setMessageEditTypingStatus",
  subject: "Typing",
  method: "POST",
  path: "/messages/{message_id}/typing",
  access: "user",
  summary: "Send a typing notification for an edit",
  description:
    "Notifies the people who can read one of the caller's messages that the caller has started or stopped editing it. In a channel with more than 100 subscribers nobody is notified.",
  parameters: { message_id: inPath(messageId, { description: "The message." }), op },
  reply: {},
  errors: [
    errors.invalidMessage,
    errors.editingNotAllowed,
    errors.editingDisabled,
    errors.editingTooLate,
    errors.widgetNotEditable,
    errors.typingDisabled,
  ],
  emits: ["typing_edit_message/start", "typing_edit_message/stop"],
  example: { parameters: { message_id: 73, op: "start" }, reply: {} },
  sample: (ids) => ({ message_id: ids.ownMessageId, op: "start" as const }),
});
