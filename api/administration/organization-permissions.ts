/** The permissions of an organization: settings whose value is a group (spec Conventions 6). */
import { type OrganizationGroupSetting, organizationGroupSetting } from "../setting.ts";

export const organizationPermissions = {
  createMultiuseInvite: organizationGroupSetting({
    name: "create_multiuse_invite_group",
    description: "Who may create invitation links that many people can use.",
    defaultGroup: "administrators",
    changedBy: "owner",
  }),
  canAccessAllUsers: organizationGroupSetting({
    name: "can_access_all_users_group",
    description:
      "Who may see everybody in the organization. Guests without it see only people they have to do with.",
    defaultGroup: "everyone",
    requiresSystemGroup: true,
    allowedSystemGroups: ["everyone", "members"],
    allowsNobody: false,
    allowsEveryone: true,
  }),
  canAddCustomEmoji: organizationGroupSetting({
    name: "can_add_custom_emoji_group",
    description: "Who may add custom emoji.",
    defaultGroup: "members",
  }),
  canAddSubscribers: organizationGroupSetting({
    name: "can_add_subscribers_group",
    description: "Who may subscribe others to channels.",
    defaultGroup: "members",
  }),
  canCreateBots: organizationGroupSetting({
    name: "can_create_bots_group",
    description: "Who may create bots of any kind.",
    defaultGroup: "members",
  }),
  canCreateWriteOnlyBots: organizationGroupSetting({
    name: "can_create_write_only_bots_group",
    description: "Who may create bots that can only send messages.",
    defaultGroup: "members",
  }),
  canCreateGroups: organizationGroupSetting({
    name: "can_create_groups",
    description: "Who may create user groups.",
    defaultGroup: "members",
  }),
  canCreatePublicChannel: organizationGroupSetting({
    name: "can_create_public_channel_group",
    description: "Who may create channels that are open to all members.",
    defaultGroup: "members",
  }),
  canCreatePrivateChannel: organizationGroupSetting({
    name: "can_create_private_channel_group",
    description: "Who may create private channels.",
    defaultGroup: "members",
  }),
  canCreateWebPublicChannel: organizationGroupSetting({
    name: "can_create_web_public_channel_group",
    description: "Who may create channels that can be read without an account.",
    defaultGroup: "owners",
    requiresSystemGroup: true,
    allowedSystemGroups: ["moderators", "administrators", "owners", "nobody"],
  }),
  canDeleteAnyMessage: organizationGroupSetting({
    name: "can_delete_any_message_group",
    description: "Who may delete any message that they can read.",
    defaultGroup: "administrators",
  }),
  canDeleteOwnMessage: organizationGroupSetting({
    name: "can_delete_own_message_group",
    description: "Who may delete messages that they sent.",
    defaultGroup: "everyone",
    allowsEveryone: true,
  }),
  canInviteUsers: organizationGroupSetting({
    name: "can_invite_users_group",
    description: "Who may invite people to the organization.",
    defaultGroup: "members",
    changedBy: "owner",
  }),
  canManageAllGroups: organizationGroupSetting({
    name: "can_manage_all_groups",
    description: "Who may manage every user group.",
    defaultGroup: "owners",
    allowsNobody: false,
    changedBy: "owner",
  }),
  canManageBilling: organizationGroupSetting({
    name: "can_manage_billing_group",
    description: "Who may see and change plans and invoices, where a server has any.",
    defaultGroup: "administrators",
    allowsNobody: false,
    changedBy: "owner",
  }),
  canMentionManyUsers: organizationGroupSetting({
    name: "can_mention_many_users_group",
    description: "Who may mention everyone in a channel or topic that many people follow.",
    defaultGroup: "administrators",
    allowsEveryone: true,
  }),
  canMoveMessagesBetweenChannels: organizationGroupSetting({
    name: "can_move_messages_between_channels_group",
    description: "Who may move messages from one channel to another.",
    defaultGroup: "members",
  }),
  canMoveMessagesBetweenTopics: organizationGroupSetting({
    name: "can_move_messages_between_topics_group",
    description: "Who may move messages from one topic to another of the same channel.",
    defaultGroup: "everyone",
    allowsEveryone: true,
  }),
  canResolveTopics: organizationGroupSetting({
    name: "can_resolve_topics_group",
    description: "Who may mark topics as resolved.",
    defaultGroup: "everyone",
    allowsEveryone: true,
  }),
  canSetDeleteMessagePolicy: organizationGroupSetting({
    name: "can_set_delete_message_policy_group",
    description: "Who may decide, in channels that they administer, who deletes messages there.",
    defaultGroup: "moderators",
  }),
  canSetTopicsPolicy: organizationGroupSetting({
    name: "can_set_topics_policy_group",
    description: "Who may decide, in channels that they administer, which topics messages can have there.",
    defaultGroup: "members",
    allowsEveryone: true,
  }),
  canSummarizeTopics: organizationGroupSetting({
    name: "can_summarize_topics_group",
    description: "Who may ask for summaries of topics, where a server offers them.",
    defaultGroup: "everyone",
    allowsEveryone: true,
  }),
  directMessageInitiator: organizationGroupSetting({
    name: "direct_message_initiator_group",
    description: "Who may start direct-message conversations.",
    defaultGroup: "everyone",
    allowsEveryone: true,
  }),
  directMessagePermission: organizationGroupSetting({
    name: "direct_message_permission_group",
    description: "Every direct-message conversation must include at least one person from this group.",
    defaultGroup: "everyone",
    allowsEveryone: true,
  }),
};

/** All organization permissions, for generating parameters and events. */
export const organizationPermissionList: readonly OrganizationGroupSetting[] =
  Object.values(organizationPermissions);
