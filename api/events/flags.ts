import { Type } from "typebox";
import { event } from "../event.ts";

const flag = Type.String({ description: "The flag: `read`, `starred` or `collapsed`." });
const messages = Type.Array(Type.Integer(), { description: "The messages whose flag changed." });
const all = Type.Boolean({
  description: "Whether the change applies to all of the user's messages; `messages` is then empty.",
});

export const flagAdded = event({
  type: "update_message_flags",
  op: "add",
  description: "A flag was set on messages for this user, here or in another of the user's clients.",
  payload: {
    operation: Type.Literal("add", { description: "Equal to `op`, for older clients." }),
    flag,
    messages,
    all,
  },
  example: { operation: "add", flag: "starred", messages: [1041], all: false },
});

export const flagRemoved = event({
  type: "update_message_flags",
  op: "remove",
  description: "A flag was cleared on messages for this user.",
  payload: {
    operation: Type.Literal("remove", { description: "Equal to `op`, for older clients." }),
    flag,
    messages,
    all,
    message_details: Type.Optional(
      Type.Record(
        Type.String(),
        Type.Object({
          type: Type.Union([Type.Literal("stream"), Type.Literal("private")], {
            description: "`stream` for a channel message, `private` for a direct one.",
          }),
          mentioned: Type.Optional(
            Type.Boolean({ description: "Present, and true, if the message mentions the user." }),
          ),
          user_ids: Type.Optional(
            Type.Array(Type.Integer(), {
              description: "The other people of the direct-message conversation.",
            }),
          ),
          stream_id: Type.Optional(Type.Integer({ description: "The channel." })),
          topic: Type.Optional(Type.String({ description: "The topic." })),
        }),
        {
          description:
            "For messages that became unread: the conversation of each, by message ID. The client may no longer have the message.",
        },
      ),
    ),
  },
  example: {
    operation: "remove",
    flag: "read",
    messages: [1041],
    all: false,
    message_details: { "1041": { type: "stream", stream_id: 12, topic: "lunch" } },
  },
});
