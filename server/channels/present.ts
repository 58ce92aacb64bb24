import type { ChannelRecord, SubscriptionRecord } from "../../api/channels/channel-fields.ts";
import { channelPermissionList, channelPermissions } from "../../api/channels/channel-permissions.ts";
import type { ChannelId } from "../../api/ids.ts";
import { type GroupValue, groups, type systemGroups } from "../groups/group.ts";
import { withoutInactive } from "../groups/group-value.ts";
import type { OrganizationState } from "../platform/log/organization-state.ts";
import type { Channel } from "./channel.ts";
import type { History } from "./history/history.ts";
import { channelPermissionOf } from "./permissions.ts";
import type { Preferences } from "./store.ts";
import { defaultColor } from "./subscriptions/colors.ts";

/** A channel as anyone who may know of it sees it: in `streams`, and in `stream` events (spec Channel). */
export function presentChannel(
  state: OrganizationState,
  channel: Channel,
  { history, subscriberCount }: { history: History; subscriberCount: number },
): ChannelRecord {
  const policy = presentPostPolicy(
    state,
    channelPermissionOf(state, channel, channelPermissions.canSendMessage),
  );
  return {
    stream_id: channel.id,
    name: channel.name,
    description: channel.description,
    rendered_description: channel.renderedDescription,
    date_created: channel.createdAt,
    creator_id: channel.creatorId,
    invite_only: channel.isPrivate,
    is_web_public: channel.isWebPublic,
    history_public_to_subscribers: channel.isHistoryShared,
    is_archived: channel.isArchived,
    folder_id: channel.folderId,
    topics_policy: channel.topicsPolicy,
    message_retention_days: channel.messageRetentionDays,
    ...policy,
    first_message_id: history.firstMessageId,
    is_recently_active: history.isRecentlyActive,
    stream_weekly_traffic: history.weeklyTraffic,
    subscriber_count: subscriberCount,
    ...Object.fromEntries(
      channelPermissionList.map((permission) => [
        permission.name,
        withoutInactive(state, channelPermissionOf(state, channel, permission)),
      ]),
    ),
  };
}

/** The numbers of the deprecated `stream_post_policy`, by the system group that may post. */
const postPolicies = { everyone: 1, administrators: 2, fullMembers: 3, moderators: 4 } as const;

/** The deprecated fields that tell older clients who may post. */
export function presentPostPolicy(
  state: OrganizationState,
  senders: GroupValue,
): { stream_post_policy: number; is_announcement_only: boolean } {
  const all = state.get(groups);
  const names = Object.keys(postPolicies) as (keyof typeof postPolicies & keyof typeof systemGroups)[];
  const name = names.find((each) => all.system(each).id === senders);
  // COMPAT: other groups have no number. Clients that still read it take 1 as "ask the server".
  const policy = name === undefined ? postPolicies.everyone : postPolicies[name];
  return { stream_post_policy: policy, is_announcement_only: policy === postPolicies.administrators };
}

export const noPreferences: Preferences = {
  color: null,
  isMuted: false,
  isPinned: false,
  desktopNotifications: null,
  audibleNotifications: null,
  pushNotifications: null,
  emailNotifications: null,
  wildcardMentionsNotify: null,
};

/** The fields of a subscription record beside the channel and its subscribers. */
export type PersonalFields = Omit<
  SubscriptionRecord,
  keyof ChannelRecord | "subscribers" | "partial_subscribers"
>;

export function presentPreferences(channelId: ChannelId, preferences: Preferences): PersonalFields {
  return {
    color: preferences.color ?? defaultColor(channelId),
    is_muted: preferences.isMuted,
    in_home_view: !preferences.isMuted,
    pin_to_top: preferences.isPinned,
    desktop_notifications: preferences.desktopNotifications,
    audible_notifications: preferences.audibleNotifications,
    push_notifications: preferences.pushNotifications,
    email_notifications: preferences.emailNotifications,
    wildcard_mentions_notify: preferences.wildcardMentionsNotify,
  };
}
