import { Type } from "typebox";
import { registerSection } from "../register-section.ts";

const messageIds = Type.Array(Type.Integer(), { description: "IDs of the unread messages, oldest first." });

export const registerReadState = registerSection({
  fields: {
    unread_msgs: Type.Object(
      {
        count: Type.Integer({
          description: "How many messages are unread, without those of muted channels, topics and people.",
        }),
        pms: Type.Array(
          Type.Object({
            other_user_id: Type.Integer({
              description: "The other person; the user in messages to themselves.",
            }),
            sender_id: Type.Integer({ description: "Deprecated: equal to `other_user_id`." }),
            unread_message_ids: messageIds,
          }),
          { description: "Conversations of at most two people." },
        ),
        streams: Type.Array(
          Type.Object({
            stream_id: Type.Integer({ description: "The channel." }),
            topic: Type.String({ description: "The topic." }),
            unread_message_ids: messageIds,
          }),
          { description: "Topics of channels." },
        ),
        huddles: Type.Array(
          Type.Object({
            user_ids_string: Type.String({
              description: "IDs of all people in it, the user too, in ascending order with commas between.",
            }),
            unread_message_ids: messageIds,
          }),
          { description: "Conversations of more than two people." },
        ),
        mentions: Type.Array(Type.Integer(), {
          description: "IDs of the unread messages that mention the user, in ascending order.",
        }),
        old_unreads_missing: Type.Boolean({
          description: "Whether the oldest are left out, since there are too many.",
        }),
      },
      {
        description:
          "What the user has not read. For clients that want `message` and `update_message_flags`.",
      },
    ),
  },
});
