import { Type } from "typebox";
import { endpoint, inPath, optional, required } from "../endpoint.ts";
import { errors } from "../errors.ts";
import { allowEmptyTopicName } from "../messages/messages.ts";
import { channelFields, exampleChannel } from "./channel-fields.ts";

export const getChannels = endpoint({
  name: "getChannels",
  subject: "Channels",
  method: "GET",
  path: "/streams",
  access: "user",
  summary: "Get channels",
  description:
    "Returns the channels that any of the filters includes and that the caller, or a bot's owner, can see.",
  parameters: {
    include_public: optional(Type.Boolean(), {
      description: "Include the public channels; `true` by default. It has no effect for guests.",
    }),
    include_web_public: optional(Type.Boolean(), { description: "Include the web-public channels." }),
    include_subscribed: optional(Type.Boolean(), {
      description: "Include the channels that the caller is subscribed to; `true` by default.",
    }),
    exclude_archived: optional(Type.Boolean(), {
      description: "Leave out archived channels; `true` by default.",
    }),
    include_all: optional(Type.Boolean(), {
      description: "Include every channel that the caller can see.",
      aliases: ["include_all_active"],
    }),
    include_default: optional(Type.Boolean(), {
      description: "Add `is_default` to each channel: whether new people are subscribed to it.",
    }),
    include_owner_subscribed: optional(Type.Boolean(), {
      description:
        "For a bot: include the channels that its owner is subscribed to, including private ones that the bot is not in.",
    }),
    include_can_access_content: optional(Type.Boolean(), {
      description: "Include every channel whose messages the caller may read.",
    }),
  },
  reply: {
    streams: Type.Array(
      Type.Object({
        ...channelFields,
        is_default: Type.Optional(
          Type.Boolean({
            description: "Whether new people are subscribed to it; only with `include_default`.",
          }),
        ),
      }),
      { description: "The channels, by name." },
    ),
  },
  errors: [],
  emits: [],
  example: { parameters: { include_subscribed: false }, reply: { streams: [exampleChannel] } },
  sample: () => ({}),
});

export const getChannel = endpoint({
  name: "getChannel",
  subject: "Channels",
  method: "GET",
  path: "/streams/{stream_id}",
  access: "user",
  summary: "Get a channel",
  description: "Returns one channel that the caller can see.",
  parameters: { stream_id: inPath(Type.Integer(), { description: "The channel." }) },
  reply: { stream: Type.Object(channelFields, { description: "The channel." }) },
  errors: [errors.invalidChannelId],
  emits: [],
  example: { parameters: { stream_id: 2 }, reply: { stream: exampleChannel } },
  sample: (ids) => ({ stream_id: ids.channelId }),
});

export const getChannelId = endpoint({
  name: "getChannelId",
  subject: "Channels",
  method: "GET",
  path: "/get_stream_id",
  access: "user",
  summary: "Get a channel's ID",
  description: "Returns the ID of the channel with this name, if the caller can see it.",
  parameters: { stream: required(Type.String(), { description: "The channel's name." }) },
  reply: { stream_id: Type.Integer({ description: "The channel's ID." }) },
  errors: [errors.noChannelOfThatName],
  emits: [],
  example: { parameters: { stream: "design" }, reply: { stream_id: 2 } },
  sample: (ids) => ({ stream: ids.channelName }),
});

export const getChannelEmailAddress = endpoint({
  name: "getChannelEmailAddress",
  subject: "Channels",
  method: "GET",
  path: "/streams/{stream_id}/email_address",
  access: "user",
  summary: "Get a channel's email address",
  description:
    "Returns the email address that turns mail into messages in the channel. This server receives no mail, so the address is empty.",
  parameters: {
    stream_id: inPath(Type.Integer(), { description: "The channel." }),
    sender_id: optional(Type.Integer(), {
      description:
        "The sender of the messages: the caller (the default), one of the caller's bots, or the notification bot.",
    }),
  },
  reply: { email: Type.String({ description: "The address." }) },
  errors: [errors.invalidChannelId, errors.noSuchUser],
  emits: [],
  example: { parameters: { stream_id: 2 }, reply: { email: "" } },
  sample: (ids) => ({ stream_id: ids.channelId }),
});

export const getChannelTopics = endpoint({
  name: "getChannelTopics",
  subject: "Channels",
  method: "GET",
  path: "/users/me/{stream_id}/topics",
  access: "spectator",
  summary: "Get a channel's topics",
  description:
    "Returns the topics with a message that the caller can read, the topic with the newest message first.",
  parameters: {
    stream_id: inPath(Type.Integer({ minimum: 0 }), { description: "The channel." }),
    allow_empty_topic_name: allowEmptyTopicName,
  },
  reply: {
    topics: Type.Array(
      Type.Object({
        name: Type.String({ description: "The topic's name." }),
        max_id: Type.Integer({ description: "The ID of its newest message." }),
      }),
      { description: "The topics, newest first." },
    ),
  },
  errors: [errors.invalidChannelId],
  emits: [],
  example: { parameters: { stream_id: 1 }, reply: { topics: [{ name: "lunch", max_id: 72 }] } },
  sample: (ids) => ({ stream_id: ids.channelId }),
});
