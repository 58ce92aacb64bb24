import { topicDisplayName } from "../../../api/channels/topic-name.ts";
import type { ChannelId, UserId } from "../../../api/ids.ts";
import { canSeeChannel } from "../../channels/access.ts";
import { channels } from "../../channels/channel.ts";
import { users } from "../../people/user.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import type { UserTopic } from "./policy.ts";

/** It holds only data that the person once sent, so it may name channels that they can't see now. */
export function presentUserTopics(topics: readonly UserTopic[], canBeEmpty: boolean) {
  return topics.map(({ channelId, topic, policy, updatedAt }) => ({
    stream_id: channelId,
    topic_name: topicDisplayName(topic, canBeEmpty),
    last_updated: seconds(updatedAt),
    visibility_policy: policy,
  }));
}

/**
 * The older form. It contains channel names, so it leaves out channels that the person may not know of
 * now.
 */
export type MutedTopic = [channel: string, topic: string, since: number];

/** `nameOf`: the channel's name, if the person may know it. */
export function presentMutedTopics(
  muted: readonly Omit<UserTopic, "policy">[],
  nameOf: (channelId: ChannelId) => string | undefined,
): MutedTopic[] {
  return muted.flatMap(({ channelId, topic, updatedAt }): MutedTopic[] => {
    const name = nameOf(channelId);
    return name === undefined ? [] : [[name, topic, seconds(updatedAt)]];
  });
}

/** An archived channel is left out too. */
export function nameOfVisible(
  state: OrganizationState,
  userId: UserId,
  channelId: ChannelId,
): string | undefined {
  const user = state.get(users).byId.get(userId);
  const channel = state.get(channels).byId.get(channelId);
  if (!user || !channel || channel.isArchived || !canSeeChannel(state, user, channel)) return undefined;
  return channel.name;
}

/** For clients that can't show an empty topic (spec Conventions 7). */
export function withDisplayNames(muted: readonly MutedTopic[]): MutedTopic[] {
  return muted.map(([channel, topic, since]) => [channel, topicDisplayName(topic), since]);
}

export function seconds(at: Date): number {
  return Math.floor(at.getTime() / 1000);
}
