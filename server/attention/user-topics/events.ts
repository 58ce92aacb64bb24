import { mutedTopicsChanged, userTopicChanged } from "../../../api/events/user-topics.ts";
import type { UserId } from "../../../api/ids.ts";
import type { PlacedTopic } from "../../channels/recipients/topics.ts";
import type { Change } from "../../platform/log/change.ts";
import type { EventSink } from "../../platform/log/event-list.ts";
import { toUsers } from "../../platform/log/log-entry.ts";
import { patchOf } from "../../platform/log/projection.ts";
import { storedEvent } from "../../platform/log/stored-event.ts";
import { pushTo } from "../../platform/std/multimap.ts";
import type { TopicPolicy } from "./policy.ts";
import { type MutedTopic, nameOfVisible, presentMutedTopics, seconds } from "./present.ts";
import { listMutedTopics } from "./store.ts";
import { userTopics } from "./topic-policies.ts";

/** A person's new policy for a topic. */
export interface PolicyChange {
  userId: UserId;
  policy: TopicPolicy;
}

/** In the log, each topic is a tuple. */
export const mutedTopicsEntry = storedEvent<{ muted_topics: MutedTopic[] }>()(mutedTopicsChanged);

/** Announces to each person's clients their policy for the topic, after the rows are written. */
export function announcePolicies(
  events: EventSink,
  { id: topicId, channelId, name }: PlacedTopic,
  changes: readonly PolicyChange[],
  at: Date,
): void {
  const byPolicy = new Map<TopicPolicy, UserId[]>();
  for (const { userId, policy } of changes) pushTo(byPolicy, policy, userId);
  const topic = { stream_id: channelId, topic_name: name, last_updated: seconds(at) };
  for (const [policy, userIds] of byPolicy) {
    const patch = userIds.map((userId) => ({ userId, topicId, policy }));
    const fields = { ...topic, visibility_policy: policy };
    events.append(userTopicChanged, fields, toUsers(userIds), patchOf(userTopics, patch));
  }
}

/** COMPAT: older clients know a list of muted topics, and each event holds the whole list. */
export async function announceMutedTopics(tx: Change, userIds: readonly UserId[]): Promise<void> {
  if (userIds.length === 0) return;
  const muted = await listMutedTopics(tx, tx.state.organizationId, userIds);
  for (const userId of userIds) {
    const own = muted.filter((topic) => topic.userId === userId);
    const muted_topics = presentMutedTopics(own, (channelId) => nameOfVisible(tx.state, userId, channelId));
    tx.append(mutedTopicsEntry, { muted_topics }, toUsers([userId]));
  }
}
