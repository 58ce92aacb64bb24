/** The records of an export as docs/exports.md describes them, made from what is in memory. */

import type { Channel } from "../../channels/channel.ts";
import type { CustomEmoji } from "../../content/emoji/custom-emoji.ts";
import { type Group, systemGroups } from "../../groups/group.ts";
import { hasFlag, personalFlags } from "../../messages/model/message.ts";
import type { Submessage } from "../../messages/model/submessages.ts";
import type { ReactionRow } from "../../messages/query/fetch.ts";
import { organization } from "../../organization/organization.ts";
import { canSeeEmail } from "../../people/email/email-visibility.ts";
import type { User } from "../../people/user.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import type { FolderRow, TextRow } from "./content-store.ts";
import { pathsOfEmoji } from "./files.ts";
import { hasConsented } from "./scope.ts";

export function organizationRecord(state: OrganizationState) {
  const { id, host, name, createdAt, settings, defaultUserSettings } = state.get(organization);
  return {
    id,
    host,
    name,
    date_created: createdAt,
    settings,
    default_user_settings: defaultUserSettings,
  };
}

/** `reader`: who asked for the export; undefined for the server's operator, who may see all addresses. */
export function userRecord(user: User, profileData: string | undefined, reader: User | undefined) {
  return {
    id: user.id,
    email: reader === undefined || canSeeEmail(reader, user) ? user.email : null,
    full_name: user.fullName,
    role: user.role,
    is_active: user.isActive,
    bot_type: user.botType,
    bot_owner_id: user.botOwnerId,
    is_system: user.isSystem,
    timezone: user.timezone,
    date_joined: user.joinedAt,
    consented: hasConsented(user),
    profile_data: JSON.parse(profileData ?? "{}") as unknown,
  };
}

export function groupRecord(group: Group) {
  const system = Object.values(systemGroups).find(({ code }) => code === group.systemCode);
  return {
    id: group.id,
    name: group.name,
    description: group.description,
    is_system: system !== undefined,
    creator_id: group.creatorId,
    date_created: group.createdAt,
    is_active: group.isActive,
    settings: group.settings,
    member_ids: group.memberIds,
    subgroup_ids: group.subgroupIds,
  };
}

export function folderRecord(folder: FolderRow) {
  return {
    id: folder.id,
    name: folder.name,
    description: folder.description,
    creator_id: folder.creatorId,
    date_created: secondsOf(folder.createdAt),
    order: folder.order,
    is_archived: folder.isArchived,
  };
}

export function channelRecord(channel: Channel) {
  return {
    id: channel.id,
    name: channel.name,
    description: channel.description,
    is_private: channel.isPrivate,
    is_web_public: channel.isWebPublic,
    is_history_shared: channel.isHistoryShared,
    is_default: channel.isDefault,
    is_archived: channel.isArchived,
    topics_policy: channel.topicsPolicy,
    message_retention_days: channel.messageRetentionDays,
    folder_id: channel.folderId,
    creator_id: channel.creatorId,
    date_created: channel.createdAt,
    group_settings: channel.groupSettings,
  };
}

export function emojiRecord(emoji: CustomEmoji) {
  return {
    id: emoji.id,
    name: emoji.name,
    file_name: emoji.fileName,
    is_animated: emoji.isAnimated,
    author_id: emoji.authorId,
    is_active: emoji.isActive,
    ...pathsOfEmoji(emoji),
  };
}

/** What belongs to a message besides its row. */
export interface Additions {
  reactions: readonly ReactionRow[];
  submessages: readonly Submessage[];
  flags: readonly { userId: number; flags: number }[];
}

export function messageRecord(row: TextRow, { reactions, submessages, flags }: Additions) {
  return {
    id: row.id,
    sender_id: row.senderId,
    ...(row.userIds === null
      ? { channel_id: row.recipientId, topic: row.topic ?? "" }
      : { user_ids: row.userIds }),
    sent_at: secondsOf(row.sentAt),
    client: row.client,
    content: row.content,
    edited_at: row.editedAt && secondsOf(row.editedAt),
    moved_at: row.movedAt && secondsOf(row.movedAt),
    reactions: reactions.map((reaction) => ({
      user_id: reaction.userId,
      emoji_name: reaction.emojiName,
      emoji_code: reaction.emojiCode,
      reaction_type: reaction.reactionType,
    })),
    submessages: submessages.map(({ senderId, kind, content }) => ({
      sender_id: senderId,
      msg_type: kind,
      content,
    })),
    flags: flags.flatMap(({ userId, flags: bits }) => {
      const names = flagNames.filter(([, bit]) => hasFlag(bits, bit)).map(([name]) => name);
      return names.length === 0 ? [] : [{ user_id: userId, flags: names }];
    }),
  };
}

const flagNames = [
  ["starred", personalFlags.starred],
  ["collapsed", personalFlags.collapsed],
  ["mentioned", personalFlags.mentioned],
  ["topic_wildcard_mentioned", personalFlags.topicMentioned],
  ["has_alert_word", personalFlags.alertWord],
] as const;

function secondsOf(time: Date): number {
  return Math.floor(time.getTime() / 1000);
}
