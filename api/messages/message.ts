import { type Static, Type } from "typebox";
import type { Reply } from "../endpoint.ts";

const reaction = Type.Object({
  emoji_name: Type.String({ description: "The emoji's name." }),
  emoji_code: Type.String({ description: "Identifies the emoji within its reaction type." }),
  reaction_type: Type.String({ description: "`unicode_emoji`, `realm_emoji` or `service_extra_emoji`." }),
  user_id: Type.Integer({ description: "Who reacted." }),
});

const submessage = Type.Object({
  id: Type.Integer({ description: "The submessage's ID." }),
  message_id: Type.Integer({ description: "The message that it belongs to." }),
  sender_id: Type.Integer({ description: "Who sent it." }),
  msg_type: Type.String({ description: "The kind of addition." }),
  content: Type.String({ description: "The addition, in the format of its kind." }),
});

const editHistoryEntry = Type.Object({
  user_id: Type.Union([Type.Integer(), Type.Null()], { description: "Who changed it." }),
  timestamp: Type.Integer({ description: "When, in UNIX seconds." }),
  prev_content: Type.Optional(Type.String({ description: "The text before, if it changed." })),
  prev_rendered_content: Type.Optional(Type.String({ description: "The previous text as HTML." })),
  prev_stream: Type.Optional(Type.Integer({ description: "The channel before, if it changed." })),
  stream: Type.Optional(Type.Integer({ description: "The channel after." })),
  prev_topic: Type.Optional(Type.String({ description: "The topic before, if it changed." })),
  topic: Type.Optional(Type.String({ description: "The topic after." })),
});

const directRecipient = Type.Object({
  id: Type.Integer({ description: "The person's ID." }),
  email: Type.String({ description: "The person's API email." }),
  full_name: Type.String({ description: "The person's name." }),
  is_mirror_dummy: Type.Boolean({
    description: "Always false here; other servers use it for placeholder accounts of outside users.",
  }),
});

/** The Message resource as events and listings carry it (spec Message), without the flags. */
export const messageFields = {
  id: Type.Integer({
    description: "The message's ID. IDs are unique, and messages are shown in their order.",
  }),
  type: Type.Union([Type.Literal("stream"), Type.Literal("private")], {
    description: "`stream` for a channel message, `private` for a direct one.",
  }),
  content: Type.String({ description: "The text, as the original Markdown or as HTML." }),
  content_type: Type.Union([Type.Literal("text/html"), Type.Literal("text/x-markdown")], {
    description: "The format of `content`.",
  }),
  subject: Type.String({ description: "The topic; empty for direct messages." }),
  stream_id: Type.Optional(Type.Integer({ description: "The channel, for channel messages." })),
  display_recipient: Type.Union([Type.String(), Type.Array(directRecipient)], {
    description: "The channel's name, or the people of the direct message.",
  }),
  recipient_id: Type.Integer({
    description: "Identifies the channel or the set of people that the message was sent to.",
  }),
  sender_id: Type.Integer({ description: "Who sent it." }),
  sender_email: Type.String({ description: "The sender's API email." }),
  sender_full_name: Type.String({ description: "The sender's name." }),
  sender_realm_str: Type.String({
    description: "The organization's subdomain: the first part of its host name.",
  }),
  avatar_url: Type.Union([Type.String(), Type.Null()], {
    description:
      "The URL of the sender's picture, below the organization's URL unless it is whole; null if the client computes it from the email.",
  }),
  client: Type.String({ description: "The program that sent it." }),
  is_me_message: Type.Boolean({ description: "Whether it is shown as an action of its sender (`/me`)." }),
  timestamp: Type.Integer({ description: "When it was sent, in UNIX seconds." }),
  last_edit_timestamp: Type.Optional(
    Type.Integer({ description: "When its text was last edited, in UNIX seconds; absent if never." }),
  ),
  last_moved_timestamp: Type.Optional(
    Type.Integer({ description: "When it was last moved, in UNIX seconds; absent if never." }),
  ),
  edit_history: Type.Optional(
    Type.Array(editHistoryEntry, {
      description:
        "The changes, newest first. Absent if there are none, or if the organization does not show edit history.",
    }),
  ),
  reactions: Type.Array(reaction, { description: "The reactions." }),
  submessages: Type.Array(submessage, { description: "The additions that make up an interactive message." }),
  topic_links: Type.Array(
    Type.Object({
      text: Type.String({ description: "The link's text." }),
      url: Type.String({ description: "The link's target." }),
    }),
    { description: "Links that linkifiers find in the topic's name." },
  ),
};

export type MessageRecord = Reply<typeof messageFields>;
export type ReactionRecord = Static<typeof reaction>;
export type SubmessageRecord = Static<typeof submessage>;
export type EditHistoryEntry = Static<typeof editHistoryEntry>;
export type DirectRecipient = Static<typeof directRecipient>;

export const flagNames = Type.Array(Type.String(), {
  description:
    "The flags that the user has on the message: `read`, `starred`, `collapsed`, `mentioned`, `stream_wildcard_mentioned`, `topic_wildcard_mentioned`, `wildcard_mentioned`, `has_alert_word`, `historical`. A topic wildcard mention addresses the people who have sent messages or reacted in the topic.",
});

export const exampleMessage = {
  id: 1041,
  type: "stream" as const,
  content: "<p>Soup today?</p>",
  content_type: "text/html" as const,
  subject: "lunch",
  stream_id: 12,
  display_recipient: "general",
  recipient_id: 12,
  sender_id: 10,
  sender_email: "dev@demo.test",
  sender_full_name: "Dev Rao",
  sender_realm_str: "demo",
  avatar_url: null,
  client: "website",
  is_me_message: false,
  timestamp: 1793000000,
  reactions: [],
  submessages: [],
  topic_links: [],
};

export const messageId = Type.Integer({ minimum: 0 });
