/** Subscriptions to channels, and each subscriber's settings for a channel. */
import { type Static, Type } from "typebox";
import { endpoint, inPath, optional, required } from "../endpoint.ts";
import { errors } from "../errors.ts";
import { described } from "../fields.ts";
import { MAX_CHANNELS_A_CALL, MAX_PRINCIPALS_A_CALL } from "../limits.ts";
import { channelNames, exampleSubscription, subscriptionFields } from "./channel-fields.ts";
import { newChannelErrors, newChannelParameters } from "./new-channel.ts";

const MAX_CHANGES_A_CALL = 1000;
const channelInPath = inPath(Type.Integer(), { description: "The channel." });

const principals = optional(
  Type.Union([
    Type.Array(Type.Integer(), { maxItems: MAX_PRINCIPALS_A_CALL }),
    Type.Array(Type.String(), { maxItems: MAX_PRINCIPALS_A_CALL }),
  ]),
  {
    description:
      "The users to subscribe or unsubscribe, by ID or API email. If missing or empty, the caller.",
  },
);

/** Channels to subscribe to, with the properties for creating those that don't exist. */
const namedChannels = Type.Array(
  Type.Object({
    name: Type.String({ description: "The channel's name." }),
    description: Type.Optional(
      Type.String({ description: "For a new channel: what it is for, in Markdown." }),
    ),
    color: Type.Optional(
      Type.String({
        pattern: "^#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$",
        description: "The channel's color for the new subscribers.",
      }),
    ),
  }),
  { maxItems: MAX_CHANNELS_A_CALL },
);

const includeSubscribers = optional(Type.Union([Type.Boolean(), Type.Literal("partial")]), {
  description:
    "Whether the records list subscribers: `true`, `false` or `partial`. With `partial`, large channels may list only bots, and people active in the last 14 days. `false` by default.",
});

export const getSubscriptions = endpoint({
  name: "getSubscriptions",
  subject: "Subscriptions",
  method: "GET",
  path: "/users/me/subscriptions",
  access: "user",
  summary: "Get own subscriptions",
  description: "Returns the channels that the caller is subscribed to, with the caller's settings for each.",
  parameters: { include_subscribers: includeSubscribers },
  reply: {
    subscriptions: Type.Array(Type.Object(subscriptionFields), {
      description: "The subscriptions, by channel name.",
    }),
  },
  errors: [],
  emits: [],
  example: { parameters: {}, reply: { subscriptions: [exampleSubscription] } },
  sample: () => ({}),
});

export const subscribe = endpoint({
  name: "subscribe",
  subject: "Subscriptions",
  method: "POST",
  path: "/users/me/subscriptions",
  access: "member",
  summary: "Subscribe to channels",
  description:
    "Subscribes the caller, or the `principals`, to channels by name. Channels that don't exist are created with the settings of the other parameters; existing channels stay as they are. Subscribing others and creating channels need the permissions to do so.",
  parameters: {
    subscriptions: required(namedChannels, { description: "The channels." }),
    principals,
    authorization_errors_fatal: optional(Type.Boolean(), {
      description:
        "Whether the whole call fails if the caller may not subscribe to one of the channels; `true` by default. Otherwise such channels are listed as `unauthorized`.",
    }),
    send_new_subscription_messages: optional(Type.Boolean(), {
      description:
        "Whether other people are notified by direct message that the caller subscribed them to existing channels; `true` by default. Nobody is notified about a channel that the call creates.",
    }),
    ...newChannelParameters,
  },
  reply: {
    subscribed: Type.Record(Type.String(), Type.Array(Type.String()), {
      description: "By user ID: names of the channels that this call subscribed them to.",
    }),
    already_subscribed: Type.Record(Type.String(), Type.Array(Type.String()), {
      description: "By user ID: names of the channels that they were already subscribed to.",
    }),
    unauthorized: Type.Optional(
      Type.Array(Type.String(), {
        description:
          "Names of channels that the caller may not subscribe to; only if `authorization_errors_fatal` is false.",
      }),
    ),
    new_subscription_messages_sent: Type.Optional(
      Type.Boolean({
        description:
          "Whether the direct messages were sent; `false` if the call subscribed more than `max_bulk_new_subscription_messages` people. Only if `send_new_subscription_messages` is true.",
      }),
    ),
  },
  errors: [...newChannelErrors, errors.channelNameTaken, errors.unableToAccessChannel],
  emits: [
    "message",
    "update_message_flags/add",
    "stream/create",
    "subscription/add",
    "subscription/peer_add",
    "default_streams",
    "realm_user/add",
    "user_status",
    "user_group/add_members",
  ],
  example: {
    parameters: { subscriptions: [{ name: "design", description: "How things *look*" }], principals: [3] },
    reply: {
      subscribed: { "11": ["design"] },
      already_subscribed: {},
      new_subscription_messages_sent: true,
    },
  },
  sample: (ids) => ({ subscriptions: [{ name: ids.channelName }] }),
});

export const unsubscribe = endpoint({
  name: "unsubscribe",
  subject: "Subscriptions",
  method: "DELETE",
  path: "/users/me/subscriptions",
  access: "user",
  summary: "Unsubscribe from channels",
  description:
    "Unsubscribes the caller, or the `principals`. To unsubscribe others, the caller needs the channel's permission, or must be an administrator of the organization, or the owner of the bots.",
  parameters: {
    subscriptions: required(channelNames, {
      description: "Names of the channels.",
    }),
    principals,
  },
  reply: {
    removed: Type.Array(Type.String(), {
      description: "Names of the channels that at least one user was unsubscribed from.",
    }),
    not_removed: Type.Array(Type.String(), {
      description: "Names of the channels that at least one user was not subscribed to.",
    }),
  },
  errors: [errors.channelsDoNotExist, errors.invalidPrincipal, errors.insufficientPermission],
  emits: [
    "update_message_flags/add",
    "stream/delete",
    "subscription/remove",
    "subscription/peer_remove",
    "realm_user/remove",
    "user_group/remove_members",
  ],
  example: {
    parameters: { subscriptions: ["design"] },
    reply: { removed: ["design"], not_removed: [] },
  },
  sample: (ids) => ({ subscriptions: [ids.channelName] }),
});

export const changeSubscriptions = endpoint({
  name: "changeSubscriptions",
  subject: "Subscriptions",
  method: "PATCH",
  path: "/users/me/subscriptions",
  access: "member",
  summary: "Change own subscriptions",
  description:
    "Subscribes the caller to some channels and unsubscribes the caller from others: all of the changes, or none if one is refused. Channels that don't exist are created with default settings.",
  parameters: {
    add: optional(namedChannels, { description: "The channels to subscribe to." }),
    delete: optional(channelNames, { description: "Names of the channels to unsubscribe from." }),
  },
  reply: {
    subscribed: Type.Record(Type.String(), Type.Array(Type.String()), {
      description: "By user ID: names of the channels that this call subscribed them to.",
    }),
    already_subscribed: Type.Record(Type.String(), Type.Array(Type.String()), {
      description: "By user ID: names of the channels that they were already subscribed to.",
    }),
    removed: Type.Array(Type.String(), { description: "Names of the channels that the caller left." }),
    not_removed: Type.Array(Type.String(), {
      description: "Names of the channels to leave that the caller was not subscribed to.",
    }),
  },
  errors: [
    errors.nothingToChange,
    errors.emptyChannelName,
    errors.channelNameTooLong,
    errors.channelNameCharacter,
    errors.channelNameTaken,
    errors.unableToAccessChannel,
    errors.channelsDoNotExist,
    errors.overQuota,
  ],
  emits: [
    "message",
    "update_message_flags/add",
    "stream/create",
    "stream/delete",
    "subscription/add",
    "subscription/remove",
    "subscription/peer_add",
    "subscription/peer_remove",
  ],
  example: {
    parameters: { add: [{ name: "design" }], delete: ["engineering"] },
    reply: {
      subscribed: { "8": ["design"] },
      already_subscribed: {},
      removed: ["engineering"],
      not_removed: [],
    },
  },
  sample: (ids) => ({ delete: [ids.channelName] }),
});

/** The properties of a subscription that its subscriber can change. */
export const subscriptionProperty = Type.Union([
  Type.Literal("color"),
  Type.Literal("is_muted"),
  Type.Literal("in_home_view"),
  Type.Literal("pin_to_top"),
  Type.Literal("desktop_notifications"),
  Type.Literal("audible_notifications"),
  Type.Literal("push_notifications"),
  Type.Literal("email_notifications"),
  Type.Literal("wildcard_mentions_notify"),
]);

export type SubscriptionProperty = Static<typeof subscriptionProperty>;

export const subscriptionValue = Type.Union([Type.Boolean(), Type.String(), Type.Null()]);

const propertyDescription =
  "What to change: `color`, `is_muted`, `pin_to_top`, one of the notification settings, or `in_home_view`, the deprecated opposite of `is_muted`.";
const valueDescription =
  "The new value: a color such as `#5b8def`, or a boolean. A notification setting can also be null, to follow the account's own setting.";

const propertyErrors = [errors.invalidChannelId, errors.notSubscribed, errors.invalidSettingValue];

export const updateSubscriptionProperties = endpoint({
  name: "updateSubscriptionProperties",
  subject: "Subscriptions",
  method: "POST",
  path: "/users/me/subscriptions/properties",
  access: "user",
  summary: "Change own settings for channels",
  description:
    "Changes the caller's own settings for subscribed channels: all of them, or none if one is refused. The caller's clients get an event for each change.",
  parameters: {
    subscription_data: required(
      Type.Array(
        Type.Object({
          stream_id: Type.Integer({ description: "The channel." }),
          property: described(subscriptionProperty, propertyDescription),
          value: described(subscriptionValue, valueDescription),
        }),
        { maxItems: MAX_CHANGES_A_CALL },
      ),
      { description: "The changes, in the order in which they apply." },
    ),
  },
  reply: {},
  errors: propertyErrors,
  emits: ["subscription/update"],
  example: {
    parameters: {
      subscription_data: [
        { stream_id: 2, property: "pin_to_top", value: true },
        { stream_id: 2, property: "color", value: "#5b8def" },
      ],
    },
    reply: {},
  },
  sample: (ids) => ({
    subscription_data: [{ stream_id: ids.channelId, property: "pin_to_top" as const, value: true }],
  }),
});

export const updateSubscription = endpoint({
  name: "updateSubscription",
  subject: "Subscriptions",
  method: "PATCH",
  path: "/users/me/subscriptions/{stream_id}",
  access: "user",
  summary: "Change one's own setting for a channel",
  description: "Changes one of the caller's own settings for a subscribed channel.",
  parameters: {
    stream_id: channelInPath,
    property: required(subscriptionProperty, { description: propertyDescription }),
    value: required(subscriptionValue, { description: valueDescription }),
  },
  reply: {},
  errors: propertyErrors,
  emits: ["subscription/update"],
  example: { parameters: { stream_id: 2, property: "is_muted", value: true }, reply: {} },
  sample: (ids) => ({ stream_id: ids.channelId, property: "is_muted" as const, value: false }),
});

export const getSubscriptionStatus = endpoint({
  name: "getSubscriptionStatus",
  subject: "Subscriptions",
  method: "GET",
  path: "/users/{user_id}/subscriptions/{stream_id}",
  access: "user",
  summary: "Check whether a user is subscribed",
  description: "Returns whether a person or bot is subscribed to a channel that the caller can see.",
  parameters: { user_id: inPath(Type.Integer(), { description: "The user." }), stream_id: channelInPath },
  reply: { is_subscribed: Type.Boolean({ description: "Whether the user is subscribed." }) },
  errors: [errors.invalidChannelId, errors.noSuchUser],
  emits: [],
  example: { parameters: { user_id: 6, stream_id: 2 }, reply: { is_subscribed: true } },
  sample: (ids) => ({ user_id: ids.userId, stream_id: ids.channelId }),
});

export const getChannelSubscribers = endpoint({
  name: "getChannelSubscribers",
  subject: "Subscriptions",
  method: "GET",
  path: "/streams/{stream_id}/members",
  access: "user",
  summary: "Get a channel's subscribers",
  description: "Returns the subscribers of a channel that the caller can see.",
  parameters: { stream_id: channelInPath },
  reply: {
    subscribers: Type.Array(Type.Integer(), {
      description: "IDs of the subscribers whose accounts are active.",
    }),
  },
  errors: [errors.invalidChannelId],
  emits: [],
  example: { parameters: { stream_id: 2 }, reply: { subscribers: [1, 4, 5, 6, 7] } },
  sample: (ids) => ({ stream_id: ids.channelId }),
});
