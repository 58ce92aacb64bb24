/** Marking messages as read, and read receipts. */
import { Type } from "typebox";
import { endpoint, inPath, required } from "../endpoint.ts";
import { errors } from "../errors.ts";
import { messageId } from "./message.ts";

export const markAllAsRead = endpoint({
  name: "markAllAsRead",
  subject: "Read state",
  method: "POST",
  path: "/mark_all_as_read",
  access: "user",
  summary: "Mark all messages as read",
  description:
    "Marks all messages that the caller has received as read. The event lists no messages; its `all` is true.",
  parameters: {},
  reply: {
    complete: Type.Boolean({
      description:
        "Whether all messages are read now. A server that runs out of time returns `false`, and the client repeats the call.",
    }),
  },
  errors: [],
  emits: ["update_message_flags/add"],
  example: { parameters: {}, reply: { complete: true } },
  sample: () => ({}),
});

const channelId = required(Type.Integer({ minimum: 0 }), { description: "The channel." });

export const markChannelAsRead = endpoint({
  name: "markChannelAsRead",
  subject: "Read state",
  method: "POST",
  path: "/mark_stream_as_read",
  access: "user",
  summary: "Mark a channel as read",
  description: "Marks all messages that the caller has received in a channel as read.",
  parameters: { stream_id: channelId },
  reply: {},
  errors: [errors.invalidChannelId],
  emits: ["update_message_flags/add"],
  example: { parameters: { stream_id: 1 }, reply: {} },
  sample: (ids) => ({ stream_id: ids.channelId }),
});

export const markTopicAsRead = endpoint({
  name: "markTopicAsRead",
  subject: "Read state",
  method: "POST",
  path: "/mark_topic_as_read",
  access: "user",
  summary: "Mark a topic as read",
  description: "Marks all messages that the caller has received in a topic as read.",
  parameters: {
    stream_id: channelId,
    topic_name: required(Type.String(), { description: "The topic. Letter case makes no difference." }),
  },
  reply: {},
  errors: [errors.invalidChannelId, errors.noSuchTopic],
  emits: ["update_message_flags/add"],
  example: { parameters: { stream_id: 1, topic_name: "lunch" }, reply: {} },
  sample: (ids) => ({ stream_id: ids.channelId, topic_name: ids.topic }),
});

export const getReadReceipts = endpoint({
  name: "getReadReceipts",
  subject: "Read state",
  method: "GET",
  path: "/messages/{message_id}/read_receipts",
  access: "user",
  summary: "Get a message's read receipts",
  description:
    "Returns the people who received a message and have read it. The sender is left out, and so are people who don't send read receipts. People who have muted the caller, or whom the caller has muted, are left out too.",
  parameters: { message_id: inPath(messageId, { description: "The message." }) },
  reply: { user_ids: Type.Array(Type.Integer(), { description: "The people." }) },
  errors: [errors.invalidMessage, errors.readReceiptsDisabled],
  emits: [],
  example: { parameters: { message_id: 72 }, reply: { user_ids: [5, 6] } },
  sample: (ids) => ({ message_id: ids.messageId }),
});
