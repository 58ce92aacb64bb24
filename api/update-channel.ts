/** Changing a channel that is there (spec E3), archiving it, and what tells of either. */
import { Type } from "typebox";
import { topicsPolicyValue } from "./channel-fields.ts";
import { channelPermissionList } from "./channel-permissions.ts";
import { endpoint, inPath, optional, type Parameter } from "./endpoint.ts";
import { errors } from "./errors.ts";
import { groupValueChange } from "./group-value.ts";
import { MAX_CHANNEL_DESCRIPTION_LENGTH, MAX_CHANNEL_NAME_LENGTH } from "./limits.ts";
import { messageRetention } from "./message-retention.ts";

const permissionParameters = Object.fromEntries(
  channelPermissionList.map(({ name, description }) => [name, optional(groupValueChange, { description })]),
) as Record<string, Parameter<typeof groupValueChange, false>>;

const examplePermission = {
  can_send_message_group: { new: { direct_members: [8], direct_subgroups: [15] }, old: 11 },
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
    "Changes all of the given properties of a channel or, if one of them can't be changed so, none. It takes being an administrator of the organization or of the channel; changing who may enter a private channel or act in it also takes being able to read it. Everyone who may know of the channel hears of each property that changed.",
  parameters: {
    stream_id: inPath(Type.Integer(), { description: "The channel." }),
    new_name: optional(Type.String(), {
      description: `Its new name, of at most ${MAX_CHANNEL_NAME_LENGTH} characters. No other channel may have it, whatever the case of its letters, an archived one neither.`,
    }),
    description: optional(Type.String(), {
      description: `What it is for, in Markdown, of at most ${MAX_CHANNEL_DESCRIPTION_LENGTH} characters on one line.`,
    }),
    is_private: truth(
      "Whether it is private. It takes the permission to create such a channel as it becomes. Nobody loses their subscription by this.",
    ),
    is_web_public: truth(
      "Whether it can be read without an account. The server and the organization must allow that, and the caller must be among those who may create such channels. A private channel can't be.",
    ),
    history_public_to_subscribers: truth(
      "Whether subscribers see what was sent before they came; always so in a channel that is not private. A channel that becomes private keeps it from them unless this is given.",
    ),
    is_default_stream: truth(
      "Whether people who join the organization are subscribed to it; for administrators of the organization, and not for a private channel.",
    ),
    message_retention_days: optional(messageRetention, {
      description:
        "After how many days messages are deleted; `unlimited` for never, `realm_default` for what the organization has set. Only owners may change it.",
    }),
    is_archived: truth("Only `false`: brings an archived channel back, as it was."),
    folder_id: optional(Type.Union([Type.Integer(), Type.Null()]), {
      description: "The folder that it is in from now on; null takes it out of its folder.",
    }),
    topics_policy: optional(topicsPolicyValue, {
      description:
        "Which topics messages may have. `empty_topic_only` can be set only if every message in the channel is in the empty topic already. It takes the organization's permission to set it.",
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
  example: {
    parameters: { stream_id: 12, new_name: "product design", ...examplePermission },
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
    "Archives a channel: it can still be read by those who could, but nothing can be sent to it. Subscriptions stay for when it is brought back, though people may come and go; its name stays taken, and all of its messages count as read. It takes being an administrator of the organization or of the channel.",
  parameters: { stream_id: inPath(Type.Integer(), { description: "The channel." }) },
  reply: {},
  errors: [errors.invalidChannelId, errors.cannotAdministerChannel, errors.channelAlreadyArchived],
  example: { parameters: { stream_id: 12 }, reply: {} },
  sample: (ids) => ({ stream_id: ids.channelId }),
});
