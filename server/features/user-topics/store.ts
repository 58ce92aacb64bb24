import type { OrganizationId, TopicId, UserId } from "../../../api/ids.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { sql } from "../../platform/db/sql.ts";
import type { TopicPolicy } from "./policy.ts";

export interface TopicPolicyRow {
  userId: UserId;
  topicId: TopicId;
  policy: TopicPolicy;
}

/** What these people want of topics, each of all topics. */
export async function listPoliciesOfUsers(
  tx: Queryable,
  organizationId: OrganizationId,
  userIds: readonly UserId[],
): Promise<TopicPolicyRow[]> {
  return tx.query(sql`
    select user_id as "userId", topic_id as "topicId", policy from topic_policies
    where organization_id = ${organizationId} and user_id = any(${userIds}::bigint[])`);
}

/** What people want of this one topic, as far as they want anything. */
export async function listPoliciesOfTopic(
  tx: Queryable,
  organizationId: OrganizationId,
  topicId: TopicId,
): Promise<TopicPolicyRow[]> {
  return tx.query(sql`
    select user_id as "userId", topic_id as "topicId", policy from topic_policies
    where organization_id = ${organizationId} and topic_id = ${topicId} order by user_id`);
}

/** Writes what people want of a topic; none of the policies is `none`. Returns who wanted something else before. */
export async function upsertTopicPolicies(
  tx: Queryable,
  organizationId: OrganizationId,
  topicId: TopicId,
  changes: readonly { userId: UserId; policy: TopicPolicy }[],
  at: Date,
): Promise<UserId[]> {
  const rows = await tx.query<{ userId: UserId }>(sql`
    insert into topic_policies (organization_id, user_id, topic_id, policy, updated_at)
    select ${organizationId}, wish.user_id, ${topicId}, wish.policy, ${at}
    from unnest(${changes.map(({ userId }) => userId)}::bigint[], ${changes.map(({ policy }) => policy)}::smallint[])
      as wish (user_id, policy)
    -- Two changes at once take the rows' locks in one order.
    order by wish.user_id
    on conflict (organization_id, user_id, topic_id) do update
    set policy = excluded.policy, updated_at = excluded.updated_at
    where topic_policies.policy <> excluded.policy
    returning user_id as "userId"`);
  return rows.map(({ userId }) => userId);
}

/** The same for what follows by itself: a row that is not as `from` says stays as it is. */
export async function raiseTopicPolicies(
  tx: Queryable,
  organizationId: OrganizationId,
  topicId: TopicId,
  changes: readonly { userId: UserId; policy: TopicPolicy; from: TopicPolicy }[],
  at: Date,
): Promise<UserId[]> {
  const rows = await tx.query<{ userId: UserId }>(sql`
    with wish as (
      select * from unnest(${changes.map(({ userId }) => userId)}::bigint[],
        ${changes.map(({ policy }) => policy)}::smallint[], ${changes.map(({ from }) => from)}::smallint[])
        as wish (user_id, policy, from_policy)
    )
    insert into topic_policies (organization_id, user_id, topic_id, policy, updated_at)
    select ${organizationId}, wish.user_id, ${topicId}, wish.policy, ${at} from wish order by wish.user_id
    on conflict (organization_id, user_id, topic_id) do update
    set policy = excluded.policy, updated_at = excluded.updated_at
    where topic_policies.policy <> excluded.policy
      and topic_policies.policy = (select from_policy from wish where wish.user_id = excluded.user_id)
    returning user_id as "userId"`);
  return rows.map(({ userId }) => userId);
}

/** Returns who had one. */
export async function deleteTopicPolicies(
  tx: Queryable,
  organizationId: OrganizationId,
  topicId: TopicId,
  userIds: readonly UserId[],
): Promise<UserId[]> {
  const gone = await tx.query<{ userId: UserId }>(sql`
    delete from topic_policies
    where organization_id = ${organizationId} and topic_id = ${topicId} and user_id = any(${userIds}::bigint[])
    returning user_id as "userId"`);
  return gone.map(({ userId }) => userId);
}

/** Returns what people wanted of the topic in the end: who was changing their mind is waited for. */
export async function deletePoliciesOfTopic(
  tx: Queryable,
  organizationId: OrganizationId,
  topicId: TopicId,
): Promise<TopicPolicyRow[]> {
  return tx.query(sql`
    with gone as (
      delete from topic_policies where organization_id = ${organizationId} and topic_id = ${topicId}
      returning user_id, topic_id, policy
    )
    select user_id as "userId", topic_id as "topicId", policy from gone order by user_id`);
}
