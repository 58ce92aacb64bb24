/** Creating a channel, and the parameters that all calls share that can create one (spec E2). */
import { Type } from "typebox";
import { endpoint, optional, type Parameter, required } from "../endpoint.ts";
import { errors } from "../errors.ts";
import { groupValue } from "../groups/group-value.ts";
import { MAX_PRINCIPALS_A_CALL } from "../limits.ts";
import { messageRetention } from "../messages/message-retention.ts";
import { topicsPolicyValue } from "./channel-fields.ts";
import { channelPermissionList } from "./channel-permissions.ts";

/** One parameter for each channel permission. */
const permissionParameters = Object.fromEntries(
  channelPermissionList.map(({ name, description }) => [
    name,
    optional(groupValue, { description: `For new channels. ${description}` }),
  ]),
) as Record<string, Parameter<typeof groupValue, false>>;

export const newChannelParameters = {
  announce: optional(Type.Boolean(), {
    description:
      "Whether new channels, except private ones, are announced in the organization's channel for announcements.",
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
      "For new channels: whether subscribers see messages that were sent before they subscribed. `true` by default, `false` for private channels.",
  }),
  message_retention_days: optional(messageRetention, {
    description:
      "For new channels: after how many days messages are deleted; `unlimited` for never, `realm_default` for the organization's setting. Only owners may give another value.",
  }),
  topics_policy: optional(topicsPolicyValue, {
    description: "For new channels: which topics messages may have; `inherit` by default.",
    // COMPAT: clients send it as JSON here, and as plain text to change a channel.
    encoding: "either",
  }),
  folder_id: optional(Type.Integer(), { description: "For new channels: their folder." }),
  ...permissionParameters,
};

/** The errors of these parameters and of the channel's name. */
export const newChannelErrors = [
  errors.emptyChannelName,
  errors.channelNameTooLong,
  errors.channelNameCharacter,
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
  errors.overQuota,
];

export const createChannel = endpoint({
  name: "createChannel",
  subject: "Channels",
  method: "POST",
  path: "/channels/create",
  access: "member",
  summary: "Create a channel",
  description:
    "Creates a channel and subscribes the given people to it. The caller is subscribed only if listed. Unlike subscribing, this fails if the name is in use.",
  parameters: {
    name: required(Type.String(), { description: "The channel's name." }),
    description: optional(Type.String(), { description: "What it is for, in Markdown." }),
    subscribers: required(Type.Array(Type.Integer(), { maxItems: MAX_PRINCIPALS_A_CALL }), {
      description: "IDs of the people to subscribe; may be empty.",
    }),
    send_new_subscription_messages: optional(Type.Boolean(), {
      description:
        "Has no effect: nobody is notified by direct message about a channel that is created with them.",
      ignored: true,
    }),
    ...newChannelParameters,
  },
  reply: { id: Type.Integer({ description: "The channel's ID." }) },
  errors: [...newChannelErrors, errors.channelAlreadyExists],
  emits: ["message", "stream/create", "subscription/add", "subscription/peer_add"],
  example: { parameters: { name: "kitchen", subscribers: [1, 6] }, reply: { id: 6 } },
  sample: (ids) => ({ name: `channel ${ids.freshName}`, subscribers: [ids.userId] }),
});
