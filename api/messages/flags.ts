import { Type } from "typebox";
import { endpoint, required } from "../endpoint.ts";
import { errors } from "../errors.ts";
import { messageId } from "./message.ts";
import { anchorDate, includeAnchor, narrowParameter } from "./messages.ts";

const op = required(Type.String(), { description: "`add` or `remove`." });
const flag = required(Type.String(), { description: "`read`, `starred` or `collapsed`." });

export const updateMessageFlags = endpoint({
  name: "updateMessageFlags",
  subject: "Flags",
  method: "POST",
  path: "/messages/flags",
  access: "user",
  summary: "Update personal message flags",
  description:
    "Sets or clears one of the caller's own flags on messages. The call fails if the caller can't read one of the messages. Marking messages as read ignores such messages instead.",
  parameters: {
    messages: required(Type.Array(messageId), { description: "The messages; at most 5,000 in one call." }),
    op,
    flag,
  },
  reply: {
    messages: Type.Array(Type.Integer(), { description: "The messages whose flag changed." }),
    ignored_because_not_subscribed_channels: Type.Optional(
      Type.Array(Type.Integer(), {
        description:
          "When `read` is removed: the channels whose messages stayed read because the caller is not subscribed to them.",
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
  emits: ["update_message_flags/add", "update_message_flags/remove"],
  example: {
    parameters: { messages: [71, 72], op: "add", flag: "read" },
    reply: { messages: [72] },
  },
  sample: (ids) => ({ messages: [ids.messageId], op: "add", flag: "starred" }),
});

const count = Type.Integer({ minimum: 0 });
const idOrNull = Type.Union([Type.Integer(), Type.Null()]);

export const updateMessageFlagsForNarrow = endpoint({
  name: "updateMessageFlagsForNarrow",
  subject: "Flags",
  method: "POST",
  path: "/messages/flags/narrow",
  access: "user",
  summary: "Update personal message flags in a narrow",
  description:
    "Sets or clears one of the caller's own flags on the messages around an anchor that match a narrow: at most 5,000 in one call. To process more, a client repeats the call from `last_processed_id` until the end is found.",
  parameters: {
    anchor: required(Type.String(), {
      description: "A message ID, or `newest`, `oldest`, `first_unread` or `date`.",
    }),
    anchor_date: anchorDate,
    include_anchor: includeAnchor,
    num_before: required(count, {
      description: "How many messages with smaller IDs.",
      invalid: "variable-invalid",
    }),
    num_after: required(count, {
      description: "How many messages with larger IDs.",
      invalid: "variable-invalid",
    }),
    narrow: narrowParameter,
    op,
    flag,
  },
  reply: {
    processed_count: Type.Integer({ description: "How many messages were processed." }),
    updated_count: Type.Integer({ description: "How many of the processed messages changed their flag." }),
    first_processed_id: Type.Union(idOrNull.anyOf, {
      description: "The oldest processed message; null if there is none.",
    }),
    last_processed_id: Type.Union(idOrNull.anyOf, {
      description: "The newest processed message; null if there is none.",
    }),
    found_oldest: Type.Boolean({ description: "Whether no older message matches." }),
    found_newest: Type.Boolean({ description: "Whether no newer message matches." }),
    ignored_because_not_subscribed_channels: Type.Array(Type.Integer(), {
      description:
        "The channels whose messages stayed read because the caller is not subscribed to them. Only relevant when `read` is removed.",
    }),
  },
  errors: [
    errors.invalidFlag,
    errors.flagNotEditable,
    errors.invalidFlagOperation,
    errors.badNarrow,
    errors.anchorExcluded,
    errors.invalidAnchor,
    errors.invalidAnchorDate,
  ],
  emits: ["update_message_flags/add", "update_message_flags/remove"],
  example: {
    parameters: {
      anchor: "first_unread",
      num_before: 0,
      num_after: 1000,
      narrow: [{ operator: "channel", operand: "general" }],
      op: "add",
      flag: "read",
    },
    reply: {
      processed_count: 2,
      updated_count: 1,
      first_processed_id: 71,
      last_processed_id: 72,
      found_oldest: false,
      found_newest: true,
      ignored_because_not_subscribed_channels: [],
    },
  },
  sample: (ids) => ({
    anchor: "newest",
    num_before: 10,
    num_after: 0,
    narrow: [{ operator: "channel", operand: ids.channelId }],
    op: "add",
    flag: "starred",
  }),
});
