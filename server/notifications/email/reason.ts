/**
 * Why a message is sent to somebody by mail, by what they set. The rules are those of desktop notices: what
 * somebody muted notifies them only if it is addressed to them.
 */
import { userSettings } from "../../../api/people/user-settings.ts";
import { type TopicPolicy, topicPolicies } from "../../attention/user-topics/policy.ts";
import type { MailChoice } from "../../channels/subscriptions/mail-choices.ts";
import { userSettingOf } from "../../people/settings/user-setting.ts";
import type { User } from "../../people/user.ts";

export type MailReason = "direct" | "mention" | "mention of everyone" | "followed topic" | "channel";

/** A message as one person sees it. */
export interface Occasion {
  isDirect: boolean;
  /** By name or by a group. */
  isMentioned: boolean;
  /** With everybody in the channel or the topic. */
  isMentionedWithAll: boolean;
  isChannelMuted: boolean;
  policy: TopicPolicy;
  choice: Pick<MailChoice, "email" | "wildcard"> | undefined;
}

/** Only people get mail, not bots, and not those who have left. */
export function canGetMail(user: User | undefined): user is User {
  return user?.isActive === true && user.botType === null && !user.isSystem;
}

/** undefined: they don't want it by mail. */
export function mailReasonOf(user: User, occasion: Occasion): MailReason | undefined {
  const { isDirect, isMentioned, isMentionedWithAll, policy, choice } = occasion;
  const getsOwn = userSettingOf(user, userSettings.enableOfflineEmailNotifications);
  if (isDirect) return getsOwn ? "direct" : undefined;
  if (isMentioned && getsOwn) return "mention";
  const isFollowed = policy === topicPolicies.followed;
  const isShown = isShownTo(occasion);
  if (isMentionedWithAll && getsOwn) {
    const inChannel = choice?.wildcard ?? userSettingOf(user, userSettings.wildcardMentionsNotify);
    const inFollowed =
      isFollowed && userSettingOf(user, userSettings.enableFollowedTopicWildcardMentionsNotify);
    if ((isShown && inChannel) || inFollowed) return "mention of everyone";
  }
  if (isFollowed && userSettingOf(user, userSettings.enableFollowedTopicEmailNotifications)) {
    return "followed topic";
  }
  const getsChannel = choice?.email ?? userSettingOf(user, userSettings.enableStreamEmailNotifications);
  return isShown && getsChannel ? "channel" : undefined;
}

function isShownTo({ policy, isChannelMuted }: Occasion): boolean {
  if (policy === topicPolicies.muted) return false;
  return !isChannelMuted || policy === topicPolicies.unmuted || policy === topicPolicies.followed;
}
