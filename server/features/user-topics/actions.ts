import type { ChannelId, TopicId, UserId } from "../../../api/ids.ts";
import type { Change } from "../../platform/log/change.ts";
import { toUsers } from "../../platform/log/log-entry.ts";
import { type TopicPolicy, topicPolicies } from "./policy.ts";
import { nameOfVisible, presentMutedTopics, seconds } from "./present.ts";
import { deleteTopicPolicies, raiseTopicPolicies, upsertTopicPolicies } from "./store.ts";
import { type UserTopicsPatch, userTopics } from "./topic-policies.ts";
import { listMutedTopics } from "./user-topic-list.ts";

/** A topic and its place. */
export interface PlacedTopic {
  id: TopicId;
  channelId: ChannelId;
  name: string;
}

/** What somebody is to want of a topic from now on. */
export interface PolicyChange {
  userId: UserId;
  policy: TopicPolicy;
}

/** Keeps what a person wants of a topic; their clients hear of it, unless it is what they wanted before. */
export async function setTopicPolicy(tx: Change, topic: PlacedTopic, change: PolicyChange): Promise<void> {
  const { organizationId } = tx.state;
  const at = new Date();
  const changed =
    change.policy === topicPolicies.none
      ? await deleteTopicPolicies(tx, organizationId, topic.id, [change.userId])
      : await upsertTopicPolicies(tx, organizationId, topic.id, [change], at);
  if (changed.length === 0) return;
  announcePolicies(tx, topic, [change], at);
  await announceMutedTopics(tx, [change.userId]);
}

/**
 * What follows from what people do: nothing happens to those who want something else by now than `from`. Returns whose
 * policy changed.
 */
export async function raisePolicies(
  tx: Change,
  topic: PlacedTopic,
  changes: readonly (PolicyChange & { from: TopicPolicy })[],
): Promise<ReadonlySet<UserId>> {
  const at = new Date();
  const changed = new Set(await raiseTopicPolicies(tx, tx.state.organizationId, topic.id, changes, at));
  const raised = changes.filter(({ userId }) => changed.has(userId));
  announcePolicies(tx, topic, raised, at);
  const unmuted = raised.filter(({ from }) => from === topicPolicies.muted);
  await announceMutedTopics(
    tx,
    unmuted.map(({ userId }) => userId),
  );
  return changed;
}

/** Tells each person's clients what they want of the topic now; the rows are written. */
export function announcePolicies(
  tx: Change,
  { id: topicId, channelId, name }: PlacedTopic,
  changes: readonly PolicyChange[],
  at: Date,
): void {
  const byPolicy = new Map<TopicPolicy, UserId[]>();
  for (const { userId, policy } of changes) {
    const userIds = byPolicy.get(policy);
    if (userIds) userIds.push(userId);
    else byPolicy.set(policy, [userId]);
  }
  const place = { stream_id: channelId, topic_name: name, last_updated: seconds(at) };
  for (const [policy, userIds] of byPolicy) {
    const patch: UserTopicsPatch = userIds.map((userId) => ({ userId, topicId, policy }));
    tx.appendRaw({ type: "user_topic", ...place, visibility_policy: policy }, toUsers(userIds), {
      [userTopics.name]: patch,
    });
  }
}

/** COMPAT: older clients know a list of muted topics, which they are told as a whole. */
export async function announceMutedTopics(tx: Change, userIds: readonly UserId[]): Promise<void> {
  if (userIds.length === 0) return;
  const muted = await listMutedTopics(tx, tx.state.organizationId, userIds);
  for (const userId of userIds) {
    const own = muted.filter((topic) => topic.userId === userId);
    const muted_topics = presentMutedTopics(own, (channelId) => nameOfVisible(tx.state, userId, channelId));
    tx.appendRaw({ type: "muted_topics", muted_topics }, toUsers([userId]));
  }
}
