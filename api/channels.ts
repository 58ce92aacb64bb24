import { Type } from "typebox";
import {
  channelFields,
  exampleChannel,
  exampleSubscription,
  subscriptionFields,
  topicsPolicyValue,
} from "./channel-fields.ts";
import { channelPermissionList } from "./channel-permissions.ts";
import { endpoint, inPath, optional, type Parameter, required } from "./endpoint.ts";
import { errors } from "./errors.ts";
import { groupValue } from "./group-value.ts";

const MAX_CHANNELS_A_CALL = 1000;
const MAX_PRINCIPALS_A_CALL = 20_000;

const principals = optional(
  Type.Union([
    Type.Array(Type.Integer(), { maxItems: MAX_PRINCIPALS_A_CALL }),
    Type.Array(Type.String(), { maxItems: MAX_PRINCIPALS_A_CALL }),
  ]),
  { description: "The people concerned, by ID or by API email; the caller, when left out." },
);

const includeSubscribers = optional(Type.Union([Type.Boolean(), Type.Literal("partial")]), {
  description:
    "Whether the records list subscribers: `true`, `false`, or `partial`, where large channels may list only bots and people active in the last 14 days. `false` by default.",
});

/** One parameter for each channel permission, for channels that are made. */
const permissionParameters = Object.fromEntries(
  channelPermissionList.map(({ name, description }) => [
    name,
    optional(groupValue, { description: `For new channels. ${description}` }),
  ]),
) as Record<string, Parameter<typeof groupValue, false>>;

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
    subscriptions: required(
      Type.Array(
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
      ),
      { description: "The channels." },
    ),
    principals,
    authorization_errors_fatal: optional(Type.Boolean(), {
      description:
        "Whether a channel that the caller may not subscribe to makes the whole call fail, as it does by default; otherwise such channels are listed as `unauthorized`.",
    }),
    announce: optional(Type.Boolean(), {
      description: "Whether new channels are announced where the organization announces channels.",
    }),
    send_new_subscription_messages: optional(Type.Boolean(), {
      description:
        "Whether people who are subscribed by others are told so in a direct message; they are by default.",
    }),
    invite_only: optional(Type.Boolean(), { description: "For new channels: whether they are private." }),
    is_web_public: optional(Type.Boolean(), {
      description: "For new channels: whether they can be read without an account.",
    }),
    is_default_stream: optional(Type.Boolean(), {
      description: "For new channels: whether people who join the organization are subscribed to them.",
    }),
    history_public_to_subscribers: optional(Type.Boolean(), {
      description:
        "For new channels: whether subscribers see what was sent before they came. By default they do, but for private channels.",
    }),
    message_retention_days: optional(
      Type.Union([
        Type.Integer({ minimum: 1, maximum: 1_000_000 }),
        Type.Literal("realm_default"),
        Type.Literal("unlimited"),
      ]),
      {
        description:
          "For new channels: after how many days messages are deleted; `unlimited` for never, `realm_default` for what the organization has set. Only owners may give another than that.",
      },
    ),
    topics_policy: optional(topicsPolicyValue, {
      description: "For new channels: which topics messages may have; `inherit` by default.",
    }),
    folder_id: optional(Type.Integer(), { description: "For new channels: the folder that they are in." }),
    ...permissionParameters,
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
      Type.Boolean({ description: "Whether direct messages were sent about this; only if they were to be." }),
    ),
  },
  errors: [
    errors.emptyChannelName,
    errors.channelNameTooLong,
    errors.channelNameCharacter,
    errors.channelNameTaken,
    errors.unableToAccessChannel,
    errors.invalidPrincipal,
    errors.invalidChannelPrivacy,
    errors.privateDefaultChannel,
    errors.webPublicNotEnabled,
    errors.mustBeOwner,
    errors.invalidFolder,
    errors.invalidGroup,
    errors.noSuchUser,
    errors.settingGroupNotAllowed,
    errors.systemGroupRequired,
  ],
  example: {
    parameters: { subscriptions: [{ name: "design", description: "How things *look*" }], principals: [11] },
    reply: {
      subscribed: { "11": ["design"] },
      already_subscribed: {},
      new_subscription_messages_sent: false,
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
    subscriptions: required(Type.Array(Type.String(), { maxItems: MAX_CHANNELS_A_CALL }), {
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
    "Returns the channels that any of the filters includes, as far as the caller may know of them.",
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
      description: "For a bot: include the channels that its owner is subscribed to.",
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
