/**
 * The channels that people who join the organization are subscribed to, and sets of channels that they can
 * choose from.
 */
import { Type } from "typebox";
import { endpoint, inPath, optional, required } from "../endpoint.ts";
import { errors } from "../errors.ts";
import { MAX_CHANNEL_DESCRIPTION_LENGTH, MAX_CHANNEL_NAME_LENGTH } from "../limits.ts";
import { channelNames } from "./channel-fields.ts";

const channel = required(Type.Integer(), { description: "The channel." });
const groupInPath = inPath(Type.Integer(), { description: "The group of default channels." });

const nameErrors = [errors.defaultGroupName, errors.defaultGroupNameTaken];
const channelErrors = [
  errors.channelsDoNotExist,
  errors.privateDefaultChannel,
  errors.archivedDefaultChannel,
  errors.channelIsDefault,
  errors.channelInDefaultGroup,
];

export const addDefaultChannel = endpoint({
  name: "addDefaultChannel",
  subject: "Default channels",
  method: "POST",
  path: "/default_streams",
  access: "administrator",
  summary: "Add a default channel",
  description:
    "From now on, people who join the organization are subscribed to the channel, except guests. The channel must not be private. Existing users are not affected.",
  parameters: { stream_id: channel },
  reply: {},
  errors: [errors.invalidChannelId, errors.privateDefaultChannel, errors.archivedDefaultChannel],
  emits: ["default_streams"],
  example: { parameters: { stream_id: 2 }, reply: {} },
  sample: (ids) => ({ stream_id: ids.channelId }),
});

export const removeDefaultChannel = endpoint({
  name: "removeDefaultChannel",
  subject: "Default channels",
  method: "DELETE",
  path: "/default_streams",
  access: "administrator",
  summary: "Remove a default channel",
  description: "From now on, people who join the organization are no longer subscribed to the channel.",
  parameters: { stream_id: channel },
  reply: {},
  errors: [errors.invalidChannelId],
  emits: ["default_streams"],
  example: { parameters: { stream_id: 1 }, reply: {} },
  sample: (ids) => ({ stream_id: ids.channelId }),
});

export const createDefaultChannelGroup = endpoint({
  name: "createDefaultChannelGroup",
  subject: "Default channels",
  method: "POST",
  path: "/default_stream_groups/create",
  access: "administrator",
  summary: "Create a group of default channels",
  description:
    "Creates a set of channels that people can choose when they join the organization. It can't contain private channels or default channels.",
  parameters: {
    group_name: required(Type.String(), {
      description: `Its name, of at most ${MAX_CHANNEL_NAME_LENGTH} characters. No other group may have it.`,
    }),
    description: required(Type.String(), {
      description: `What it is for, of at most ${MAX_CHANNEL_DESCRIPTION_LENGTH} characters.`,
    }),
    stream_names: required(channelNames, { description: "Names of its channels." }),
  },
  reply: {},
  errors: [...nameErrors, ...channelErrors],
  emits: ["default_stream_groups"],
  example: {
    parameters: { group_name: "Printers", description: "For those who print", stream_names: ["design"] },
    reply: {},
  },
  sample: (ids) => ({
    group_name: `group ${ids.freshName}`,
    description: "For those who cook",
    stream_names: [ids.channelName],
  }),
});

export const updateDefaultChannelGroup = endpoint({
  name: "updateDefaultChannelGroup",
  subject: "Default channels",
  method: "PATCH",
  path: "/default_stream_groups/{group_id}",
  access: "administrator",
  summary: "Change a group of default channels",
  description: "Changes the group's name, its description, or both.",
  parameters: {
    group_id: groupInPath,
    new_group_name: optional(Type.String(), { description: "Its new name." }),
    new_description: optional(Type.String(), { description: "Its new description." }),
  },
  reply: {},
  errors: [errors.noDefaultGroup, errors.nothingToChangeInDefaultGroup, ...nameErrors],
  emits: ["default_stream_groups"],
  example: { parameters: { group_id: 1, new_group_name: "Builders" }, reply: {} },
  sample: (ids) => ({ group_id: ids.defaultGroupId, new_description: "For those who cook and eat" }),
});

export const removeDefaultChannelGroup = endpoint({
  name: "removeDefaultChannelGroup",
  subject: "Default channels",
  method: "DELETE",
  path: "/default_stream_groups/{group_id}",
  access: "administrator",
  summary: "Delete a group of default channels",
  description: "Deletes the group. Its channels and their subscribers stay as they are.",
  parameters: { group_id: groupInPath },
  reply: {},
  errors: [errors.noDefaultGroup],
  emits: ["default_stream_groups"],
  example: { parameters: { group_id: 1 }, reply: {} },
  sample: (ids) => ({ group_id: ids.defaultGroupId }),
});

export const updateDefaultChannelGroupChannels = endpoint({
  name: "updateDefaultChannelGroupChannels",
  subject: "Default channels",
  method: "PATCH",
  path: "/default_stream_groups/{group_id}/streams",
  access: "administrator",
  summary: "Change the channels of a group of default channels",
  description: "Adds channels to the group or removes them: all of them, or none if one can't be.",
  parameters: {
    group_id: groupInPath,
    op: required(Type.Union([Type.Literal("add"), Type.Literal("remove")]), {
      description: "Whether to add or remove the channels.",
    }),
    stream_names: required(channelNames, { description: "Names of the channels." }),
  },
  reply: {},
  errors: [errors.noDefaultGroup, ...channelErrors, errors.channelNotInDefaultGroup],
  emits: ["default_stream_groups"],
  example: { parameters: { group_id: 1, op: "add", stream_names: ["town square"] }, reply: {} },
  sample: (ids) => ({ group_id: ids.defaultGroupId, op: "remove" as const, stream_names: [] }),
});
