/** What a person wants of a topic. Without a row it is `none`: the topic is as its channel is for them. */
export const topicPolicies = { none: 0, muted: 1, unmuted: 2, followed: 3 } as const;
export type TopicPolicy = (typeof topicPolicies)[keyof typeof topicPolicies];
