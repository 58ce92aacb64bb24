/** Who is subscribed to what, what a subscriber chooses for a channel, and making a channel with its subscribers. */
import { Type } from "typebox";
import { channelNames, MAX_PRINCIPALS_A_CALL, namedChannels } from "./channels.ts";
import { endpoint, inPath, optional, required } from "./endpoint.ts";
import { errors } from "./errors.ts";
import { described } from "./fields.ts";
import { newChannelErrors, newChannelParameters } from "./new-channel.ts";

const MAX_CHANGES_A_CALL = 1000;

const channelInPath = inPath(Type.Integer(), { description: "The channel." });

export const createChannel = endpoint({
  name: "createChannel",
  subject: "Channels",
  method: "POST",
  path: "/channels/create",
  access: "member",
  summary: "Create a channel",
  description:
    "Makes a channel and subscribes the given people to it; the caller only if named among them. A name that is in use is an error, unlike in a call to subscribe.",
  parameters: {
    name: required(Type.String(), { description: "Its name." }),
    description: optional(Type.String(), { description: "What it is for, in Markdown." }),
    subscribers: required(Type.Array(Type.Integer(), { maxItems: MAX_PRINCIPALS_A_CALL }), {
      description: "IDs of the people to subscribe; there may be none.",
    }),
    send_new_subscription_messages: optional(Type.Boolean(), {
      description: "Without effect: nobody is told in a direct message of a channel that was made with them.",
      ignored: true,
    }),
    ...newChannelParameters,
  },
  reply: { id: Type.Integer({ description: "The channel's ID." }) },
  errors: [...newChannelErrors, errors.channelAlreadyExists],
  example: { parameters: { name: "design", subscribers: [8, 11] }, reply: { id: 12 } },
  sample: (ids) => ({ name: `channel ${ids.freshName}`, subscribers: [ids.userId] }),
});

export const changeSubscriptions = endpoint({
  name: "changeSubscriptions",
  subject: "Channels",
  method: "PATCH",
  path: "/users/me/subscriptions",
  access: "member",
  summary: "Change own subscriptions",
  description:
    "Subscribes the caller to some channels and unsubscribes them from others, all or nothing. Channels that don't exist are made with the usual settings.",
  parameters: {
    add: optional(namedChannels, { description: "The channels to subscribe to." }),
    delete: optional(channelNames, { description: "Names of the channels to unsubscribe from." }),
  },
  reply: {
    subscribed: Type.Record(Type.String(), Type.Array(Type.String()), {
      description: "By user ID: names of the channels that they were subscribed to by this call.",
    }),
    already_subscribed: Type.Record(Type.String(), Type.Array(Type.String()), {
      description: "By user ID: names of the channels that they were subscribed to before.",
    }),
    removed: Type.Array(Type.String(), { description: "Names of the channels that they left." }),
    not_removed: Type.Array(Type.String(), {
      description: "Names of the channels to leave that they were not subscribed to.",
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

/** What a subscriber can choose. */
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

export const subscriptionValue = Type.Union([Type.Boolean(), Type.String(), Type.Null()]);

const propertyDescription =
  "What to change: `color`, `is_muted`, `pin_to_top`, one of the notification settings, or `in_home_view`, the deprecated opposite of `is_muted`.";
const valueDescription =
  "The new value: a color such as `#5b8def`, or whether it holds. A notification setting can also be null, for what the account's own setting says.";

const propertyErrors = [errors.invalidChannelId, errors.notSubscribed, errors.invalidSettingValue];

export const updateSubscriptionProperties = endpoint({
  name: "updateSubscriptionProperties",
  subject: "Channels",
  method: "POST",
  path: "/users/me/subscriptions/properties",
  access: "user",
  summary: "Change what one chose for channels",
  description:
    "Changes the caller's own settings for channels that they are subscribed to, all or nothing. The caller's other clients hear of each.",
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
      { description: "The changes, in their order." },
    ),
  },
  reply: {},
  errors: propertyErrors,
  example: {
    parameters: {
      subscription_data: [
        { stream_id: 12, property: "pin_to_top", value: true },
        { stream_id: 12, property: "color", value: "#5b8def" },
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
  subject: "Channels",
  method: "PATCH",
  path: "/users/me/subscriptions/{stream_id}",
  access: "user",
  summary: "Change what one chose for a channel",
  description: "Changes one of the caller's own settings for a channel that they are subscribed to.",
  parameters: {
    stream_id: channelInPath,
    property: required(subscriptionProperty, { description: propertyDescription }),
    value: required(subscriptionValue, { description: valueDescription }),
  },
  reply: {},
  errors: propertyErrors,
  example: { parameters: { stream_id: 12, property: "is_muted", value: true }, reply: {} },
  sample: (ids) => ({ stream_id: ids.channelId, property: "is_muted" as const, value: false }),
});

export const getSubscriptionStatus = endpoint({
  name: "getSubscriptionStatus",
  subject: "Channels",
  method: "GET",
  path: "/users/{user_id}/subscriptions/{stream_id}",
  access: "user",
  summary: "See whether someone is subscribed",
  description: "Returns whether a person or bot is subscribed to a channel that the caller may know of.",
  parameters: { user_id: inPath(Type.Integer(), { description: "The user." }), stream_id: channelInPath },
  reply: { is_subscribed: Type.Boolean({ description: "Whether they are subscribed." }) },
  errors: [errors.invalidChannelId, errors.noSuchUser],
  example: { parameters: { user_id: 11, stream_id: 12 }, reply: { is_subscribed: true } },
  sample: (ids) => ({ user_id: ids.userId, stream_id: ids.channelId }),
});

export const getChannelSubscribers = endpoint({
  name: "getChannelSubscribers",
  subject: "Channels",
  method: "GET",
  path: "/streams/{stream_id}/members",
  access: "user",
  summary: "Get a channel's subscribers",
  description: "Returns who is subscribed to a channel that the caller may know of.",
  parameters: { stream_id: channelInPath },
  reply: {
    subscribers: Type.Array(Type.Integer(), {
      description: "IDs of the subscribers whose accounts are active.",
    }),
  },
  errors: [errors.invalidChannelId],
  example: { parameters: { stream_id: 12 }, reply: { subscribers: [8, 11] } },
  sample: (ids) => ({ stream_id: ids.channelId }),
});

export const getChannelEmailAddress = endpoint({
  name: "getChannelEmailAddress",
  subject: "Channels",
  method: "GET",
  path: "/streams/{stream_id}/email_address",
  access: "user",
  summary: "Get a channel's email address",
  description:
    "Returns the address at which mail becomes messages in the channel. This server takes no mail, so it is empty.",
  parameters: {
    stream_id: channelInPath,
    sender_id: optional(Type.Integer(), {
      description:
        "Who the messages are to come from: the caller, as by default, one of the caller's bots, or the notification bot.",
    }),
  },
  reply: { email: Type.String({ description: "The address." }) },
  errors: [errors.invalidChannelId, errors.noSuchUser],
  example: { parameters: { stream_id: 12 }, reply: { email: "" } },
  sample: (ids) => ({ stream_id: ids.channelId }),
});

export const getChannelId = endpoint({
  name: "getChannelId",
  subject: "Channels",
  method: "GET",
  path: "/get_stream_id",
  access: "user",
  summary: "Get a channel's ID",
  description: "Returns the ID of the channel of that name, if the caller may know of it.",
  parameters: { stream: required(Type.String(), { description: "The channel's name." }) },
  reply: { stream_id: Type.Integer({ description: "The channel's ID." }) },
  errors: [errors.noChannelOfThatName],
  example: { parameters: { stream: "design" }, reply: { stream_id: 12 } },
  sample: (ids) => ({ stream: ids.channelName }),
});
