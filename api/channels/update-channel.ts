/** Changing and archiving a channel (spec E3). */
import { Type } from "typebox";
import { endpoint, inPath, optional, type Parameter } from "../endpoint.ts";
import { errors } from "../errors.ts";
import { groupValueChange } from "../groups/group-value.ts";
import { MAX_CHANNEL_DESCRIPTION_LENGTH, MAX_CHANNEL_NAME_LENGTH } from "../limits.ts";
import { messageRetention } from "../messages/message-retention.ts";
import { topicsPolicyValue } from "./channel-fields.ts";
import { channelPermissionList } from "./channel-permissions.ts";

const permissionParameters = Object.fromEntries(
  channelPermissionList.map(({ name, description }) => [name, optional(groupValueChange, { description })]),
) as Record<string, Parameter<typeof groupValueChange, false>>;

const examplePermission = {
  can_send_message_group: { new: { direct_members: [5], direct_subgroups: [4] }, old: 7 },
};

const truth = (description: string) => optional(Type.Boolean(), { description });

export const updateChannel = endpoint({
  name: "updateChannel",
  subject: "Channels",
  method: "PATCH",
  path: "/streams/{stream_id}",
  access: "user",
  summary: "Change a channel",
  description:
    "Changes all of the given properties of a channel, or none if one of them is refused. The caller must be an administrator of the organization or of the channel. Changing permissions in a private channel also needs access to its messages. Everyone who can see the channel gets an event for each property that changed.",
  parameters: {
    stream_id: inPath(Type.Integer(), { description: "The channel." }),
    new_name: optional(Type.String(), {
      description: `Its new name, of at most ${MAX_CHANNEL_NAME_LENGTH} characters. It must be unique, ignoring case, among all channels, archived ones included.`,
    }),
    description: optional(Type.String(), {
      description: `What it is for, in Markdown, of at most ${MAX_CHANNEL_DESCRIPTION_LENGTH} characters on one line.`,
    }),
    is_private: truth(
      "Whether it is private. It needs the permission to create a channel of the new kind. All subscriptions stay.",
    ),
    is_web_public: truth(
      "Whether it can be read without an account. The server and the organization must allow web-public channels, and the caller must have permission to create one. A private channel can't be web-public.",
    ),
    history_public_to_subscribers: truth(
      "Whether subscribers see messages that were sent before they subscribed; always true in a channel that is not private. When a channel becomes private, it becomes `false` unless given.",
    ),
    is_default_stream: truth(
      "Whether people who join the organization are subscribed to it. Only administrators of the organization may set it, and not for a private channel.",
    ),
    message_retention_days: optional(messageRetention, {
      description:
        "After how many days messages are deleted; `unlimited` for never, `realm_default` for the organization's setting. Only owners may change it.",
    }),
    is_archived: truth("Only `false` is allowed: it unarchives an archived channel."),
    folder_id: optional(Type.Union([Type.Integer(), Type.Null()]), {
      description: "The channel's new folder; null takes it out of its folder.",
    }),
    topics_policy: optional(topicsPolicyValue, {
      description:
        "Which topics messages may have. `empty_topic_only` can be set only if every message in the channel is already in the empty topic. It needs the organization's permission to set topic policies.",
      encoding: "either",
    }),
    ...permissionParameters,
  },
  reply: {},
  errors: [
    errors.invalidChannelId,
    errors.cannotAdministerChannel,
    errors.contentAccessRequired,
    errors.insufficientPermission,
    errors.mustBeAdministrator,
    errors.mustBeOwner,
    errors.emptyChannelName,
    errors.channelNameTooLong,
    errors.channelNameCharacter,
    errors.channelNameUnchanged,
    errors.channelNameTaken,
    errors.invalidChannelPrivacy,
    errors.privateDefaultChannel,
    errors.moderationChannelNotPrivate,
    errors.archivedDefaultChannel,
    errors.webPublicNotEnabled,
    errors.channelHasNamedTopics,
    errors.cannotArchiveByUpdate,
    errors.channelNotArchived,
    errors.invalidFolder,
    errors.expectationMismatch,
    errors.invalidGroup,
    errors.noSuchUser,
    errors.settingGroupNotAllowed,
    errors.systemGroupRequired,
  ],
  emits: [
    "message",
    "update_message_flags/add",
    "stream/create",
    "stream/delete",
    "stream/update",
    "subscription/add",
    "subscription/peer_add",
    "default_streams",
    "default_stream_groups",
    "realm_bot/update",
  ],
  example: {
    parameters: { stream_id: 2, new_name: "product design", ...examplePermission },
    reply: {},
  },
  sample: (ids) => ({ stream_id: ids.channelId, description: "What we *make*" }),
});

export const archiveChannel = endpoint({
  name: "archiveChannel",
  subject: "Channels",
  method: "DELETE",
  path: "/streams/{stream_id}",
  access: "user",
  summary: "Archive a channel",
  description:
    "Archives a channel: people who could read it still can, but nobody can send to it. Its subscriptions stay, and people can still subscribe and unsubscribe. Its name stays taken, and all of its messages count as read. The caller must be an administrator of the organization or of the channel.",
  parameters: { stream_id: inPath(Type.Integer(), { description: "The channel." }) },
  reply: {},
  errors: [errors.invalidChannelId, errors.cannotAdministerChannel, errors.channelAlreadyArchived],
  emits: ["message", "stream/delete", "stream/update", "default_streams", "default_stream_groups"],
  example: { parameters: { stream_id: 2 }, reply: {} },
  sample: (ids) => ({ stream_id: ids.channelId }),
});
