import { Type } from "typebox";
import { endpoint, inPath, optional, required } from "./endpoint.ts";
import { errors } from "./errors.ts";
import { messageId } from "./message.ts";

const op = required(Type.Union([Type.Literal("start"), Type.Literal("stop")]), {
  description: "Whether the caller has started or stopped.",
});

export const setTypingStatus = endpoint({
  name: "setTypingStatus",
  subject: "Typing",
  method: "POST",
  path: "/typing",
  access: "user",
  summary: "Tell that one is typing",
  description:
    "Tells the people of a direct message, or the subscribers of a channel, that the caller has started or stopped writing to them. Nobody is told in a channel with more than 100 subscribers.",
  parameters: {
    type: optional(
      Type.Union([
        Type.Literal("direct"),
        Type.Literal("stream"),
        Type.Literal("channel"),
        Type.Literal("private"),
      ]),
      {
        description: "`direct`, which is the default, or `channel`; `stream` and `private` are older words.",
      },
    ),
    op,
    to: optional(Type.Array(Type.Integer()), {
      description: "The user IDs of the direct message's people; required for one.",
    }),
    stream_id: optional(Type.Integer({ minimum: 0 }), { description: "The channel; required for one." }),
    topic: optional(Type.String(), { description: "The topic in the channel; required for one." }),
  },
  reply: {},
  errors: [
    errors.emptyTo,
    errors.tooManyRecipients,
    errors.invalidRecipientId,
    errors.missingStreamId,
    errors.missingTopic,
    errors.topicCharacter,
    errors.invalidChannelId,
    errors.notAuthorizedToSend,
    errors.postingDenied,
    errors.typingDisabled,
  ],
  example: { parameters: { op: "start", to: [9] }, reply: {} },
  sample: (ids) => ({ op: "start" as const, to: [ids.userId] }),
});

export const setMessageEditTypingStatus = endpoint({
  name: "setMessageEditTypingStatus",
  subject: "Typing",
  method: "POST",
  path: "/messages/{message_id}/typing",
  access: "user",
  summary: "Tell that one is editing a message",
  description:
    "Tells those who can read one of the caller's messages that the caller has started or stopped editing it. Nobody is told in a channel with more than 100 subscribers.",
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
  example: { parameters: { message_id: 1041, op: "start" }, reply: {} },
  sample: (ids) => ({ message_id: ids.ownMessageId, op: "start" as const }),
});
