/**
 * The permissions of one channel (spec Channel): settings whose value is a group. The parameters of
 * endpoints, the fields of channel objects, the checks and `/register`'s list of settings are read from these
 * declarations.
 */
import type { GroupRules, SystemGroupName } from "../setting.ts";

export interface ChannelPermission extends GroupRules {
  name: string;
  description: string;
  /** `creator`: the person who created the channel, or nobody if that is not known. */
  defaultGroup: SystemGroupName | "creator";
}

function channelPermission(
  declaration: Pick<ChannelPermission, "name" | "description" | "defaultGroup"> & Partial<ChannelPermission>,
): ChannelPermission {
  return {
    requiresSystemGroup: false,
    allowedSystemGroups: [],
    allowsNobody: true,
    allowsEveryone: true,
    allowsInternet: false,
    ...declaration,
  };
}

export const channelPermissions = {
  canAddSubscribers: channelPermission({
    name: "can_add_subscribers_group",
    description: "Who may add subscribers to the channel, and join it, without being subscribed to it.",
    defaultGroup: "nobody",
    allowsEveryone: false,
  }),
  canAdministerChannel: channelPermission({
    name: "can_administer_channel_group",
    description: "Who may change the channel's properties, in addition to the organization's administrators.",
    defaultGroup: "creator",
    allowsEveryone: false,
  }),
  canDeleteAnyMessage: channelPermission({
    name: "can_delete_any_message_group",
    description: "Who may delete any message in the channel that they can read.",
    defaultGroup: "nobody",
  }),
  canDeleteOwnMessage: channelPermission({
    name: "can_delete_own_message_group",
    description: "Who may delete their own messages in the channel.",
    defaultGroup: "nobody",
  }),
  canMoveMessagesOutOfChannel: channelPermission({
    name: "can_move_messages_out_of_channel_group",
    description: "Who may move messages from the channel to another.",
    defaultGroup: "nobody",
  }),
  canMoveMessagesWithinChannel: channelPermission({
    name: "can_move_messages_within_channel_group",
    description: "Who may move messages between the channel's topics.",
    defaultGroup: "nobody",
  }),
  canRemoveSubscribers: channelPermission({
    name: "can_remove_subscribers_group",
    description: "Who may unsubscribe others from the channel.",
    defaultGroup: "administrators",
  }),
  canResolveTopics: channelPermission({
    name: "can_resolve_topics_group",
    description: "Who may mark the channel's topics as resolved.",
    defaultGroup: "nobody",
  }),
  canSendMessage: channelPermission({
    name: "can_send_message_group",
    description: "Who may post in the channel.",
    defaultGroup: "everyone",
  }),
  canSubscribe: channelPermission({
    name: "can_subscribe_group",
    description: "Who may join the channel by themselves, even if it is private.",
    defaultGroup: "nobody",
    allowsEveryone: false,
  }),
};

/** All channel permissions, in the order of their names. */
export const channelPermissionList: readonly ChannelPermission[] = Object.values(channelPermissions);
