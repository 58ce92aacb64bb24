/**
 * Which messages a person is to notice although the conversation is not on the screen. The rules are those of
 * notification emails: what somebody muted notifies them only if it is addressed to them.
 */
import { userSettings } from "../api/people/user-settings.ts";
import type { Message } from "./model/messages.ts";
import type { Model } from "./model/model.ts";

export interface Notice {
  showsDesktop: boolean;
  playsSound: boolean;
  /** Whether the text may be shown to those who see the screen. */
  showsContent: boolean;
}

const withEverybody = ["wildcard_mentioned", "stream_wildcard_mentioned", "topic_wildcard_mentioned"];

/** undefined: the message is not one to notice. */
export function noticeOf(model: Model, message: Message): Notice | undefined {
  const { settings, viewer, mutedUsers } = model;
  const { senderId, flags, to } = message;
  if (senderId === viewer.id || mutedUsers.has(senderId) || flags.has("read")) return undefined;
  const own = {
    showsDesktop: settings.get(userSettings.enableDesktopNotifications),
    playsSound: settings.get(userSettings.enableSounds),
  };
  if (to.kind === "direct") {
    return anyOf({ ...own, showsContent: settings.get(userSettings.pmContentInDesktopNotifications) });
  }
  const isNamed = flags.has("mentioned") || flags.has("has_alert_word");
  if (isNamed || isForEverybody(model, message)) return anyOf({ ...own, showsContent: true });
  const subscription = model.subscriptions.byChannel.get(to.channelId);
  const isFollowed = model.userTopics.policyOf(to.channelId, to.topic) === "followed";
  const isShown = isShownTo(model, to);
  const inFollowed = {
    desktop: isFollowed && settings.get(userSettings.enableFollowedTopicDesktopNotifications),
    sound: isFollowed && settings.get(userSettings.enableFollowedTopicAudibleNotifications),
  };
  const inChannel = {
    desktop:
      subscription?.desktopNotifications ?? settings.get(userSettings.enableStreamDesktopNotifications),
    sound: subscription?.audibleNotifications ?? settings.get(userSettings.enableStreamAudibleNotifications),
  };
  return anyOf({
    showsDesktop: inFollowed.desktop || (isShown && inChannel.desktop),
    playsSound: inFollowed.sound || (isShown && inChannel.sound),
    showsContent: true,
  });
}

/** How many messages the client's icon counts, by the account's setting. */
export function iconCount(model: Model): number {
  const choice = model.settings.get(userSettings.desktopIconCountDisplay);
  if (choice === 4) return 0;
  if (choice === 1) return model.unreads.count;
  let count = 0;
  for (const { place, ids } of model.unreads.buckets.values()) {
    const isWhole =
      "userIds" in place ||
      (choice === 2 && model.userTopics.policyOf(place.channelId, place.topic) === "followed");
    count += isWhole ? ids.size : [...ids].filter((id) => model.unreads.mentions.has(id)).length;
  }
  return count;
}

function anyOf(notice: Notice): Notice | undefined {
  return notice.showsDesktop || notice.playsSound ? notice : undefined;
}

function isForEverybody(model: Model, { flags, to }: Message): boolean {
  if (to.kind === "direct" || !withEverybody.some((flag) => flags.has(flag))) return false;
  const { settings, subscriptions, userTopics } = model;
  const inChannel =
    subscriptions.byChannel.get(to.channelId)?.wildcardMentionsNotify ??
    settings.get(userSettings.wildcardMentionsNotify);
  const inFollowed =
    userTopics.policyOf(to.channelId, to.topic) === "followed" &&
    settings.get(userSettings.enableFollowedTopicWildcardMentionsNotify);
  return (inChannel && isShownTo(model, to)) || inFollowed;
}

function isShownTo({ subscriptions, userTopics }: Model, to: { channelId: number; topic: string }): boolean {
  return !userTopics.isMuted(to.channelId, to.topic, subscriptions.isMuted(to.channelId));
}
