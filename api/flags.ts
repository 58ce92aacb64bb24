import { Type } from "typebox";
import { endpoint, required } from "./endpoint.ts";
import { errors } from "./errors.ts";
import { messageId } from "./messages.ts";

export const updateMessageFlags = endpoint({
  name: "updateMessageFlags",
  subject: "Messages",
  method: "POST",
  path: "/messages/flags",
  access: "user",
  summary: "Update personal message flags",
  description:
    "Sets or clears one of the caller's own flags on messages. Messages that the caller can't read make the call fail, except that marking them read passes them over.",
  parameters: {
    messages: required(Type.Array(messageId), { description: "The messages; at most 5,000 in one call." }),
    op: required(Type.String(), { description: "`add` or `remove`." }),
    flag: required(Type.String(), { description: "`read`, `starred` or `collapsed`." }),
  },
  reply: {
    messages: Type.Array(Type.Integer(), { description: "The messages whose flag changed." }),
    ignored_because_not_subscribed_channels: Type.Optional(
      Type.Array(Type.Integer(), {
        description:
          "When `read` was removed: the channels whose messages stayed read because the caller is not subscribed to them.",
      }),
    ),
  },
  errors: [
    errors.invalidFlag,
    errors.flagNotEditable,
    errors.invalidFlagOperation,
    errors.invalidMessage,
    errors.tooManyMessages,
  ],
  example: {
    parameters: { messages: [1040, 1041], op: "add", flag: "read" },
    reply: { messages: [1041] },
  },
  sample: (ids) => ({ messages: [ids.messageId], op: "add", flag: "starred" }),
});
