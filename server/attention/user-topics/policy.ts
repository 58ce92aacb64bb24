import type { ChannelId, TopicId, UserId } from "../../../api/ids.ts";

/**
 * A person's visibility policy for a topic. Without a row it is `none`: the topic is treated like its
 * channel.
 */
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

/** A person's policy for a topic, to be written. */
export interface PolicyWrite {
  topicId: TopicId;
  userId: UserId;
  policy: TopicPolicy;
  at: Date;
}

/**
 * A person's policy for a topic after another topic was merged into it. The policy that shows more remains,
 * so that another person's move hides nothing that was visible.
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
