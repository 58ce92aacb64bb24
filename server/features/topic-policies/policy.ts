import type { ChannelId, TopicId } from "../../../api/ids.ts";

/** What a person wants of a topic. Without a row it is `none`: the topic is treated as its channel is. */
export const topicPolicies = { none: 0, muted: 1, unmuted: 2, followed: 3 } as const;
export type TopicPolicy = (typeof topicPolicies)[keyof typeof topicPolicies];

/** A topic that a person has a policy for. */
export interface UserTopic {
  topicId: TopicId;
  channelId: ChannelId;
  topic: string;
  policy: TopicPolicy;
  updatedAt: Date;
}

/**
 * A person's policy for a topic after another topic was merged into it: the policy that shows more, so that
 * nothing that they saw is hidden by somebody else's move.
 */
export function mergedPolicy(one: TopicPolicy, other: TopicPolicy): TopicPolicy {
  return visibility.indexOf(one) > visibility.indexOf(other) ? one : other;
}

const visibility: readonly TopicPolicy[] = [
  topicPolicies.muted,
  topicPolicies.none,
  topicPolicies.unmuted,
  topicPolicies.followed,
];
