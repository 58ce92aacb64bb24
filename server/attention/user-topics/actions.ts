import type { UserId } from "../../../api/ids.ts";
import { canReadChannelById } from "../../channels/access.ts";
import type { PlacedTopic } from "../../channels/recipients/topics.ts";
import type { Change } from "../../platform/log/change.ts";
import { announceMutedTopics, announcePolicies, type PolicyChange } from "./events.ts";
import { lockTopicPolicies } from "./grouped-store.ts";
import { mergedPolicy, type TopicPolicy, topicPolicies } from "./policy.ts";
import {
  deletePoliciesOfTopic,
  deleteTopicPolicies,
  listPoliciesOfTopic,
  listPoliciesOfTopics,
  raiseTopicPolicies,
  type TopicPolicyRow,
  upsertTopicPolicies,
} from "./store.ts";

/**
 * Stores a person's policy for a topic. The person's clients get an event. Returns false, and announces
 * nothing, if the policy is unchanged.
 */
export async function setTopicPolicy(tx: Change, topic: PlacedTopic, change: PolicyChange): Promise<boolean> {
  const { organizationId } = tx.state;
  const at = new Date();
  await lockTopicPolicies(tx, [topic.id], [change.userId]);
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
  await lockTopicPolicies(
    tx,
    [topic.id],
    changes.map(({ userId }) => userId),
  );
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

/**
 * After all of a topic's messages moved: people's policies go along, and nobody has a policy for the topic
 * that is left behind. People who can't read the new channel only lose their policy, and so never learn the
 * new name. `isMerge`: there were messages in the new topic before.
 */
export async function moveTopicPolicies(
  tx: Change,
  from: PlacedTopic,
  to: PlacedTopic,
  { isMerge }: { isMerge: boolean },
): Promise<void> {
  const { organizationId } = tx.state;
  const at = new Date();
  // Not the whole topics: people write to them, and begin to follow them, while many messages move.
  const known = await listPoliciesOfTopics(tx, organizationId, [from.id, to.id]);
  const holders = known.map(({ userId }) => userId);
  if (holders.length > 0) await lockTopicPolicies(tx, [from.id, to.id], holders);
  // The rows are deleted before anything is decided: a policy that is written after this is a new one for the
  // old name.
  const left = byUser(await deletePoliciesOfTopic(tx, organizationId, from.id));
  const found = byUser(await listPoliciesOfTopic(tx, organizationId, to.id));
  if (left.size === 0 && !(isMerge && found.size > 0)) return;
  const changes: PolicyChange[] = [];
  for (const userId of new Set([...left.keys(), ...found.keys()])) {
    if (!canReadChannelById(tx.state, to.channelId, userId)) continue;
    const before = found.get(userId) ?? topicPolicies.none;
    const moved = left.get(userId) ?? topicPolicies.none;
    const policy = isMerge ? mergedPolicy(moved, before) : moved || before;
    if (policy !== before) changes.push({ userId, policy });
  }
  const kept = changes.filter(({ policy }) => policy !== topicPolicies.none);
  const ended = changes.filter(({ policy }) => policy === topicPolicies.none).map(({ userId }) => userId);
  await upsertTopicPolicies(tx, organizationId, to.id, kept, at);
  await deleteTopicPolicies(tx, organizationId, to.id, ended);
  const forgotten = [...left.keys()].map((userId) => ({ userId, policy: topicPolicies.none }));
  announcePolicies(tx, from, forgotten, at);
  announcePolicies(tx, to, changes, at);
  const concerned = [...new Set([...left.keys(), ...changes.map(({ userId }) => userId)])];
  const isMuted = (userId: UserId) =>
    [left, found].some((policies) => policies.get(userId) === topicPolicies.muted);
  await announceMutedTopics(tx, concerned.filter(isMuted));
}

function byUser(rows: readonly TopicPolicyRow[]): Map<UserId, TopicPolicy> {
  return new Map(rows.map(({ userId, policy }) => [userId, policy]));
}
