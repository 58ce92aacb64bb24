/** What a person wants of a topic. Without a row it is `none`: the topic is as its channel is for them. */
export const topicPolicies = { none: 0, muted: 1, unmuted: 2, followed: 3 } as const;
export type TopicPolicy = (typeof topicPolicies)[keyof typeof topicPolicies];

/**
 * What a person wants of a topic after another one was merged into it: whatever shows more of it, so that nothing that they
 * saw is hidden by somebody's move.
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
