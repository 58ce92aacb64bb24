import { Type } from "typebox";
import { channelFields, exampleChannel, exampleSubscription, subscriptionFields } from "./channel-fields.ts";
import { endpoint, inPath, optional, required } from "./endpoint.ts";
import { errors } from "./errors.ts";
import { newChannelErrors, newChannelParameters } from "./new-channel.ts";

const MAX_CHANNELS_A_CALL = 1000;
export const MAX_PRINCIPALS_A_CALL = 20_000;

const principals = optional(
  Type.Union([
    Type.Array(Type.Integer(), { maxItems: MAX_PRINCIPALS_A_CALL }),
    Type.Array(Type.String(), { maxItems: MAX_PRINCIPALS_A_CALL }),
  ]),
  { description: "The people concerned, by ID or by API email; the caller, when left out or empty." },
);

/** Channels to subscribe to, with what those are made with that don't exist yet. */
export const namedChannels = Type.Array(
  Type.Object({
    name: Type.String({ description: "The channel's name." }),
    description: Type.Optional(
      Type.String({ description: "For a new channel: what it is for, in Markdown." }),
    ),
    color: Type.Optional(
      Type.String({
        pattern: "^#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$",
        description: "The color that the new subscribers' clients give it.",
      }),
    ),
  }),
  { maxItems: MAX_CHANNELS_A_CALL },
);

/** Channels by their names. */
export const channelNames = Type.Array(Type.String(), { maxItems: MAX_CHANNELS_A_CALL });

const includeSubscribers = optional(Type.Union([Type.Boolean(), Type.Literal("partial")]), {
  description:
    "Whether the records list subscribers: `true`, `false`, or `partial`, where large channels may list only bots and people active in the last 14 days. `false` by default.",
});

export const subscribe = endpoint({
  name: "subscribe",
  subject: "Channels",
  method: "POST",
  path: "/users/me/subscriptions",
  access: "member",
  summary: "Subscribe to channels",
  description:
    "Subscribes the caller, or the `principals`, to channels by their names, and makes those that don't exist, with the settings of the other parameters; existing channels are left as they are. Everyone may join what is open to them; to subscribe others, or to make a channel, takes the permission for it.",
  parameters: {
    subscriptions: required(namedChannels, { description: "The channels." }),
    principals,
    authorization_errors_fatal: optional(Type.Boolean(), {
      description:
        "Whether a channel that the caller may not subscribe to makes the whole call fail, as it does by default; otherwise such channels are listed as `unauthorized`.",
    }),
    send_new_subscription_messages: optional(Type.Boolean(), {
      description:
        "Whether people whom the caller subscribes to channels that are there are told so in a direct message; they are by default. Nobody is told so of a channel that the call makes.",
    }),
    ...newChannelParameters,
  },
  reply: {
    subscribed: Type.Record(Type.String(), Type.Array(Type.String()), {
      description: "By user ID: names of the channels that they were subscribed to by this call.",
    }),
    already_subscribed: Type.Record(Type.String(), Type.Array(Type.String()), {
      description: "By user ID: names of the channels that they were subscribed to before.",
    }),
    unauthorized: Type.Optional(
      Type.Array(Type.String(), {
        description: "Names of channels that the caller may not subscribe to; only if that is not fatal.",
      }),
    ),
    new_subscription_messages_sent: Type.Optional(
      Type.Boolean({
        description:
          "Whether those who were to be told so in a direct message were; false if the call subscribed more than `max_bulk_new_subscription_messages` people. Only if they were to be told.",
      }),
    ),
  },
  errors: [...newChannelErrors, errors.channelNameTaken, errors.unableToAccessChannel],
  example: {
    parameters: { subscriptions: [{ name: "design", description: "How things *look*" }], principals: [11] },
    reply: {
      subscribed: { "11": ["design"] },
      already_subscribed: {},
      new_subscription_messages_sent: true,
    },
  },
  sample: (ids) => ({ subscriptions: [{ name: ids.channelName }] }),
});

export const getSubscriptions = endpoint({
  name: "getSubscriptions",
  subject: "Channels",
  method: "GET",
  path: "/users/me/subscriptions",
  access: "user",
  summary: "Get own subscriptions",
  description: "Returns the channels that the caller is subscribed to, with what the caller chose for them.",
  parameters: { include_subscribers: includeSubscribers },
  reply: {
    subscriptions: Type.Array(Type.Object(subscriptionFields), {
      description: "The subscriptions, by channel name.",
    }),
  },
  errors: [],
  example: { parameters: {}, reply: { subscriptions: [exampleSubscription] } },
  sample: () => ({}),
});

export const unsubscribe = endpoint({
  name: "unsubscribe",
  subject: "Channels",
  method: "DELETE",
  path: "/users/me/subscriptions",
  access: "user",
  summary: "Unsubscribe from channels",
  description:
    "Ends the caller's subscriptions, or those of the `principals`. To unsubscribe others takes the channel's permission for it, being an administrator of the organization, or owning the bots concerned.",
  parameters: {
    subscriptions: required(channelNames, {
      description: "Names of the channels.",
    }),
    principals,
  },
  reply: {
    removed: Type.Array(Type.String(), {
      description: "Names of the channels that someone was unsubscribed from.",
    }),
    not_removed: Type.Array(Type.String(), {
      description: "Names of the channels that someone was not subscribed to before.",
    }),
  },
  errors: [errors.channelsDoNotExist, errors.invalidPrincipal, errors.insufficientPermission],
  example: {
    parameters: { subscriptions: ["design"] },
    reply: { removed: ["design"], not_removed: [] },
  },
  sample: (ids) => ({ subscriptions: [ids.channelName] }),
});

export const getChannels = endpoint({
  name: "getChannels",
  subject: "Channels",
  method: "GET",
  path: "/streams",
  access: "user",
  summary: "Get channels",
  description:
    "Returns the channels that any of the filters includes, as far as the caller, or a bot's owner, may know of them.",
  parameters: {
    include_public: optional(Type.Boolean(), {
      description: "Include the public channels; on by default, and without effect for guests.",
    }),
    include_web_public: optional(Type.Boolean(), { description: "Include the web-public channels." }),
    include_subscribed: optional(Type.Boolean(), {
      description: "Include the channels that the caller is subscribed to; on by default.",
    }),
    exclude_archived: optional(Type.Boolean(), {
      description: "Leave archived channels out; on by default.",
    }),
    include_all: optional(Type.Boolean(), {
      description: "Include every channel that the caller may know of.",
      aliases: ["include_all_active"],
    }),
    include_default: optional(Type.Boolean(), {
      description: "Say of each channel whether new people are subscribed to it, as `is_default`.",
    }),
    include_owner_subscribed: optional(Type.Boolean(), {
      description:
        "For a bot: include the channels that its owner is subscribed to, private ones too, whether the bot is in them or not.",
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
          Type.Boolean({ description: "Whether new people are subscribed to it; only if asked for." }),
        ),
      }),
      { description: "The channels, by name." },
    ),
  },
  errors: [],
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
  description: "Returns one channel that the caller may know of.",
  parameters: { stream_id: inPath(Type.Integer(), { description: "The channel." }) },
  reply: { stream: Type.Object(channelFields, { description: "The channel." }) },
  errors: [errors.invalidChannelId],
  example: { parameters: { stream_id: 12 }, reply: { stream: exampleChannel } },
  sample: (ids) => ({ stream_id: ids.channelId }),
});
