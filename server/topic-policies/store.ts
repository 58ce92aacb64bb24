import type { ChannelId, OrganizationId, TopicId, UserId } from "../../api/ids.ts";
import type { Queryable } from "../db/database.ts";
import { sql } from "../db/sql.ts";
import { type TopicPolicy, topicPolicies } from "./policy.ts";

export interface TopicPolicyRow {
  userId: UserId;
  topicId: TopicId;
  policy: TopicPolicy;
  updatedAt: Date;
}

export async function findTopicPolicy(
  tx: Queryable,
  organizationId: OrganizationId,
  userId: UserId,
  topicId: TopicId,
): Promise<TopicPolicy> {
  const [row] = await tx.query<{ policy: TopicPolicy }>(sql`
    select policy from topic_policies
    where organization_id = ${organizationId} and user_id = ${userId} and topic_id = ${topicId}`);
  return row?.policy ?? topicPolicies.none;
}

/** All that people want of a topic, and of these people's alone if they are given. */
export async function listTopicPolicies(
  tx: Queryable,
  organizationId: OrganizationId,
  topicId: TopicId,
): Promise<TopicPolicyRow[]> {
  return tx.query(sql`
    select user_id as "userId", topic_id as "topicId", policy, updated_at as "updatedAt" from topic_policies
    where organization_id = ${organizationId} and topic_id = ${topicId} order by user_id`);
}

/** False when the person wanted just that before. */
export async function upsertTopicPolicy(
  tx: Queryable,
  organizationId: OrganizationId,
  row: TopicPolicyRow,
): Promise<boolean> {
  const changed = await tx.query(sql`
    insert into topic_policies (organization_id, user_id, topic_id, policy, updated_at)
    values (${organizationId}, ${row.userId}, ${row.topicId}, ${row.policy}, ${row.updatedAt})
    on conflict (organization_id, user_id, topic_id) do update
    set policy = excluded.policy, updated_at = excluded.updated_at
    where topic_policies.policy <> excluded.policy
    returning 1`);
  return changed.length > 0;
}

/** False when there was none. */
export async function deleteTopicPolicy(
  tx: Queryable,
  organizationId: OrganizationId,
  userId: UserId,
  topicId: TopicId,
): Promise<boolean> {
  const gone = await tx.query(sql`
    delete from topic_policies
    where organization_id = ${organizationId} and user_id = ${userId} and topic_id = ${topicId}
    returning 1`);
  return gone.length > 0;
}

export async function deletePoliciesOfTopic(
  tx: Queryable,
  organizationId: OrganizationId,
  topicId: TopicId,
): Promise<void> {
  await tx.query(
    sql`delete from topic_policies where organization_id = ${organizationId} and topic_id = ${topicId}`,
  );
}

/** A person's topics and what they want of them, with the topics' names and channels. */
export async function listPoliciesOf(
  tx: Queryable,
  organizationId: OrganizationId,
  userId: UserId,
): Promise<(TopicPolicyRow & { channelId: ChannelId; topic: string })[]> {
  return tx.query(sql`
    select p.user_id as "userId", p.topic_id as "topicId", p.policy, p.updated_at as "updatedAt",
      t.channel_id as "channelId", t.name as topic
    from topic_policies p join topics t on t.organization_id = p.organization_id and t.id = p.topic_id
    where p.organization_id = ${organizationId} and p.user_id = ${userId}
    order by p.topic_id`);
}
