import type { UserId } from "../../../api/ids.ts";
import type { PlacedTopic } from "../../channels/recipients/topics.ts";
import type { Change } from "../../platform/log/change.ts";
import { announceMutedTopics, announcePolicies, type PolicyChange } from "./events.ts";
import { type TopicPolicy, topicPolicies } from "./policy.ts";
import { deleteTopicPolicies, raiseTopicPolicies, upsertTopicPolicies } from "./store.ts";

/**
 * Stores a person's policy for a topic. The person's clients get an event. Returns false, and announces
 * nothing, if the policy is unchanged.
 */
export async function setTopicPolicy(tx: Change, topic: PlacedTopic, change: PolicyChange): Promise<boolean> {
  const { organizationId } = tx.state;
  const at = new Date();
  const changed =
    change.policy === topicPolicies.none
      ? await deleteTopicPolicies(tx, organizationId, topic.id, [change.userId])
      : await upsertTopicPolicies(tx, organizationId, topic.id, [change], at);
  if (changed.length === 0) return false;
  announcePolicies(tx, topic, [change], at);
  await announceMutedTopics(tx, [change.userId]);
  return true;
}

/**
 * Stores automatic policies, which follow from people's actions. People whose policy is no longer `from`
 * are skipped. Returns the people whose policy changed.
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
