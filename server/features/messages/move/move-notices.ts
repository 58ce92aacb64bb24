/** What the notification bot says of a move, where the messages were and where they are. */

import { roles } from "../../../../api/roles.ts";
import { isResolvedTopic, isTopicResolution, topicDisplayName } from "../../../../api/topic-name.ts";
import type { OrganizationState } from "../../../platform/log/organization-state.ts";
import { canSeeChannel } from "../../channels/access.ts";
import type { Channel } from "../../channels/channel.ts";
import { subscribers } from "../../channels/subscriptions/subscribers.ts";
import type { ViewerChange } from "../../users/change.ts";
import { users } from "../../users/user.ts";
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
  const who = person(tx.viewer.user);
  const posts: Post[] = [];
  const postTo = ({ channel, topic }: Place, content: string) =>
    posts.push({ to: { channel, topic }, content });
  if (isOfTopicItself(move)) {
    const resolution = isResolvedTopic(to.topic) ? "resolved" : "unresolved";
    if (tellsNewThread) postTo(to, `${who} marked this topic as ${resolution}.`);
  } else {
    const what = whatMoved(move);
    if (tellsNewThread) postTo(to, `${who} moved ${what} here from ${nameOf(tx.state, from, to)}.`);
    if (tellsOldThread) postTo(from, `${who} moved ${what} to ${nameOf(tx.state, to, from)}.`);
  }
  await postMessages(tx, posts);
}

/** A message that leaves its topic for a resolved one of the same name resolves nothing. */
function isOfTopicItself({ from, to, isWholeTopic }: Move): boolean {
  return isWholeTopic && from.channel.id === to.channel.id && isTopicResolution(from.topic, to.topic);
}

function whatMoved({ ids, isWholeTopic }: Move): string {
  if (isWholeTopic) return "this topic";
  return ids.length === 1 ? "a message" : `${ids.length} messages`;
}

/** What a place is called where `reader` is read. */
function nameOf(state: OrganizationState, place: Place, reader: Place): string {
  if (place.channel.id !== reader.channel.id) {
    return isKnownIn(state, place.channel, reader.channel)
      ? topicLink(place.channel, place.topic)
      : "another channel";
  }
  // A notice may be moved on with its topic, and would name the private channel to whoever reads it then.
  if (place.channel.isPrivate) return code(topicDisplayName(place.topic));
  return topicLink(place.channel, place.topic);
}

/** Whether all who read the one channel may know of the other; of a private one, nobody is told. */
function isKnownIn(state: OrganizationState, channel: Channel, where: Channel): boolean {
  if (channel.isPrivate) return false;
  if (channel.isWebPublic) return true;
  if (where.isWebPublic) return false;
  for (const userId of state.get(subscribers).of(where.id)) {
    const user = state.get(users).byId.get(userId);
    // Everyone else knows of public channels.
    if (user?.isActive && user.role >= roles.guest && !canSeeChannel(state, user, channel)) return false;
  }
  return true;
}
