/** What the notification bot posts about a move, in the old place and in the new one. */

import { isResolvedTopic, isTopicResolution, topicDisplayName } from "../../../api/channels/topic-name.ts";
import type { UserId } from "../../../api/ids.ts";
import { userSettings } from "../../../api/people/user-settings.ts";
import { roles } from "../../../api/roles.ts";
import { findFollowers } from "../../attention/user-topics/topic-policies.ts";
import { canSeeChannel } from "../../channels/access.ts";
import type { Channel } from "../../channels/channel.ts";
import { subscribers } from "../../channels/subscriptions/subscribers.ts";
import { userSettingOf } from "../../people/settings/user-setting.ts";
import { type User, users } from "../../people/user.ts";
import type { ViewerChange } from "../../people/viewer/change.ts";
import type { Change } from "../../platform/log/change.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import type { Place } from "../edit/permissions.ts";
import { code, person, topicLink } from "../model/markdown-text.ts";
import { type Post, postMessages } from "../send/post.ts";
import type { Move } from "./move.ts";

export async function postMoveNotices(
  tx: ViewerChange,
  move: Move,
  {
    tellsOldThread = false,
    tellsNewThread = true,
  }: { tellsOldThread?: boolean | undefined; tellsNewThread?: boolean | undefined },
): Promise<void> {
  if (move.isRespelling) return;
  const { from, to } = move;
  const { user } = tx.viewer;
  const who = person(user);
  const posts: Post[] = [];
  // `nameOf` decides which of the two channels the readers may know of, and names no other one.
  const changedChannels = [from.channel, to.channel];
  const postTo = ({ channel, topic }: Place, content: string, unreadFor?: ReadonlySet<UserId>) => {
    const to = { channel, topic };
    posts.push({ to, content, onBehalfOf: user, changedChannels, ...(unreadFor && { unreadFor }) });
  };
  if (isOfTopicItself(move)) {
    const resolution = isResolvedTopic(to.topic) ? "resolved" : "unresolved";
    if (tellsNewThread) {
      postTo(to, `${who} marked this topic as ${resolution}.`, await findUnreadFor(tx, to));
    }
  } else {
    const what = whatMoved(move);
    if (tellsNewThread) postTo(to, `${who} moved ${what} here from ${nameOf(tx.state, from, to)}.`);
    if (tellsOldThread) postTo(from, `${who} moved ${what} to ${nameOf(tx.state, to, from)}.`);
  }
  await postMessages(tx, posts);
}

/**
 * The people for whom a notice about a resolved topic is unread: they want all such notices, or those in
 * topics that they follow. undefined: for everybody. Nearly all people want none, so the exceptions are few.
 */
async function findUnreadFor(tx: Change, { channel, topicId }: Move["to"]): Promise<Set<UserId> | undefined> {
  const followers = new Set(await findFollowers(tx, topicId));
  const all = tx.state.get(users).byId;
  const subscribed = tx.state.get(subscribers).of(channel.id);
  const isUnread = (user: User) => {
    const policy = userSettingOf(user, userSettings.resolvedTopicNoticeAutoReadPolicy);
    return policy === "never" || (policy === "except_followed" && followers.has(user.id));
  };
  const found = new Set<UserId>();
  for (const userId of subscribed) {
    const user = all.get(userId);
    if (user?.isActive && user.botType === null && isUnread(user)) found.add(userId);
  }
  return found.size === subscribed.size ? undefined : found;
}

/** A message that moves to a resolved topic of the same name does not resolve its topic. */
function isOfTopicItself({ from, to, isWholeTopic }: Move): boolean {
  return isWholeTopic && from.channel.id === to.channel.id && isTopicResolution(from.topic, to.topic);
}

function whatMoved({ ids, isWholeTopic }: Move): string {
  if (isWholeTopic) return "this topic";
  return ids.length === 1 ? "a message" : `${ids.length} messages`;
}

/** The name of a place, as it may be shown to the people who read `reader`. */
function nameOf(state: OrganizationState, place: Place, reader: Place): string {
  if (place.channel.id !== reader.channel.id) {
    return isKnownIn(state, place.channel, reader.channel)
      ? topicLink(place.channel, place.topic)
      : "another channel";
  }
  // A notice may move on with its topic. Its later readers must not learn the private channel's name from it.
  if (place.channel.isPrivate) return code(topicDisplayName(place.topic));
  return topicLink(place.channel, place.topic);
}

/** Whether all readers of one channel may know of the other. No notice names a private channel. */
function isKnownIn(state: OrganizationState, channel: Channel, where: Channel): boolean {
  if (channel.isPrivate) return false;
  if (channel.isWebPublic) return true;
  if (where.isWebPublic) return false;
  for (const userId of state.get(subscribers).of(where.id)) {
    const user = state.get(users).byId.get(userId);
    // All other users know of public channels.
    if (user?.isActive && user.role >= roles.guest && !canSeeChannel(state, user, channel)) return false;
  }
  return true;
}
