import { Type } from "typebox";
import { endpoint, inPath, required } from "../endpoint.ts";
import { errors } from "../errors.ts";
import { messageId } from "./message.ts";

export const deleteMessage = endpoint({
  name: "deleteMessage",
  subject: "Messages",
  method: "DELETE",
  path: "/messages/{message_id}",
  access: "user",
  summary: "Delete a message",
  description:
    "Deletes a message permanently, with its reactions and its history. Settings of the organization and the channel say who may delete their own messages and for how long. They also say who may delete other people's messages.",
  parameters: { message_id: inPath(messageId, { description: "The message." }) },
  reply: {},
  errors: [errors.invalidMessage, errors.deletingNotAllowed, errors.deletingTooLate],
  emits: ["delete_message", "attachment/update", "stream/update"],
  example: { parameters: { message_id: 72 }, reply: {} },
  sample: (ids) => ({ message_id: ids.ownMessageId }),
});

export const deleteTopic = endpoint({
  name: "deleteTopic",
  subject: "Messages",
  method: "POST",
  path: "/streams/{stream_id}/delete_topic",
  access: "user",
  summary: "Delete a topic",
  description:
    "Deletes the messages of a topic that the caller can read. It needs the permission to delete any message there. A topic with very many messages takes several calls; repeat the call until `complete` is true.",
  parameters: {
    stream_id: inPath(Type.Integer({ minimum: 0 }), { description: "The channel." }),
    topic_name: required(Type.String(), { description: "The topic's name." }),
  },
  reply: {
    complete: Type.Boolean({
      description: "Whether the topic has no messages left that the caller can read.",
    }),
  },
  errors: [errors.invalidChannelId, errors.deletingNotAllowed],
  emits: ["delete_message", "attachment/update", "stream/update"],
  example: { parameters: { stream_id: 1, topic_name: "lunch" }, reply: { complete: true } },
  sample: (ids) => ({ stream_id: ids.channelId, topic_name: ids.topic }),
});
