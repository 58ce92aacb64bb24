import type { OrganizationId, TopicId, UserId } from "../../../api/ids.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { PersonalRows } from "../../platform/db/personal-rows.ts";
import { sql } from "../../platform/db/sql.ts";
import { type TopicPolicy, topicPolicies, type UserTopic } from "./policy.ts";

export interface TopicPolicyRow {
  userId: UserId;
  topicId: TopicId;
  policy: TopicPolicy;
}

/** The topics that a person has a policy for, also in channels that they can't see at present. */
export const ownTopicPolicies = new PersonalRows<UserTopic>(
  (organizationId, userId) => sql`
    select p.topic_id as "topicId", p.policy, p.updated_at as "updatedAt", t.channel_id as "channelId", t.name as topic
    from topic_policies p
    -- One look-up a policy, whatever the statistics say: as a join, it may compare all with all.
    cross join lateral (
      select channel_id, name from topics where organization_id = p.organization_id and id = p.topic_id offset 0
    ) t
    where p.organization_id = ${organizationId} and p.user_id = ${userId}
    order by p.topic_id`,
  ["updatedAt"],
);

/** The topics that these people muted. */
export async function listMutedTopics(
  tx: Queryable,
  organizationId: OrganizationId,
  userIds: readonly UserId[],
): Promise<(Omit<UserTopic, "policy"> & { userId: UserId })[]> {
  return tx.query(sql`
    select p.user_id as "userId", p.topic_id as "topicId", p.updated_at as "updatedAt", t.channel_id as "channelId",
      t.name as topic
    from topic_policies p
    -- One look-up a policy, whatever the statistics say: as a join, it may compare all with all.
    cross join lateral (
      select channel_id, name from topics where organization_id = p.organization_id and id = p.topic_id offset 0
    ) t
    where p.organization_id = ${organizationId} and p.user_id = any(${userIds}::bigint[])
      and p.policy = ${topicPolicies.muted}
    order by p.topic_id`);
}

/** The policies of these people for all topics. */
export async function listPoliciesOfUsers(
  tx: Queryable,
  organizationId: OrganizationId,
  userIds: readonly UserId[],
): Promise<TopicPolicyRow[]> {
  return tx.query(sql`
    select user_id as "userId", topic_id as "topicId", policy from topic_policies
    where organization_id = ${organizationId} and user_id = any(${userIds}::bigint[])`);
}

/** The policies of all people for one topic. */
export async function listPoliciesOfTopic(
  tx: Queryable,
  organizationId: OrganizationId,
  topicId: TopicId,
): Promise<TopicPolicyRow[]> {
  return tx.query(sql`
    select user_id as "userId", topic_id as "topicId", policy from topic_policies
    where organization_id = ${organizationId} and topic_id = ${topicId} order by user_id`);
}

/** The policies for these topics: everybody's, or one person's. */
export async function listPoliciesOfTopics(
  tx: Queryable,
  organizationId: OrganizationId,
  topicIds: readonly TopicId[],
  userId?: UserId,
): Promise<TopicPolicyRow[]> {
  const ofWhom = userId === undefined ? sql`` : sql`and user_id = ${userId}`;
  return tx.query(sql`
    select user_id as "userId", topic_id as "topicId", policy from topic_policies
    where organization_id = ${organizationId} and topic_id = any(${topicIds}::bigint[]) ${ofWhom}`);
}

/** Writes policies for a topic, none of which is `none`. Returns the people whose policy changed. */
export async function upsertTopicPolicies(
  tx: Queryable,
  organizationId: OrganizationId,
  topicId: TopicId,
  changes: readonly { userId: UserId; policy: TopicPolicy }[],
  at: Date,
): Promise<UserId[]> {
  const rows = await tx.query<{ userId: UserId }>(sql`
    insert into topic_policies (organization_id, user_id, topic_id, policy, updated_at)
    select ${organizationId}, change.user_id, ${topicId}, change.policy, ${at}
    from unnest(${changes.map(({ userId }) => userId)}::bigint[], ${changes.map(({ policy }) => policy)}::smallint[])
      as change (user_id, policy)
    -- Two changes at once take the rows' locks in one order.
    order by change.user_id
    on conflict (organization_id, user_id, topic_id) do update
    set policy = excluded.policy, updated_at = excluded.updated_at
    where topic_policies.policy <> excluded.policy
    returning user_id as "userId"`);
  return rows.map(({ userId }) => userId);
}

/** Does the same for automatic policies: a row whose policy is not `from` stays unchanged. */
export async function raiseTopicPolicies(
  tx: Queryable,
  organizationId: OrganizationId,
  topicId: TopicId,
  changes: readonly { userId: UserId; policy: TopicPolicy; from: TopicPolicy }[],
  at: Date,
): Promise<UserId[]> {
  const rows = await tx.query<{ userId: UserId }>(sql`
    with change as (
      select * from unnest(${changes.map(({ userId }) => userId)}::bigint[],
        ${changes.map(({ policy }) => policy)}::smallint[], ${changes.map(({ from }) => from)}::smallint[])
        as change (user_id, policy, from_policy)
    )
    insert into topic_policies (organization_id, user_id, topic_id, policy, updated_at)
    select ${organizationId}, change.user_id, ${topicId}, change.policy, ${at} from change order by change.user_id
    on conflict (organization_id, user_id, topic_id) do update
    set policy = excluded.policy, updated_at = excluded.updated_at
    where topic_policies.policy <> excluded.policy
      and topic_policies.policy = (select from_policy from change where change.user_id = excluded.user_id)
    returning user_id as "userId"`);
  return rows.map(({ userId }) => userId);
}

/** Returns the people who had a policy. */
export async function deleteTopicPolicies(
  tx: Queryable,
  organizationId: OrganizationId,
  topicId: TopicId,
  userIds: readonly UserId[],
): Promise<UserId[]> {
  const deleted = await tx.query<{ userId: UserId }>(sql`
    delete from topic_policies
    where organization_id = ${organizationId} and topic_id = ${topicId} and user_id = any(${userIds}::bigint[])
    returning user_id as "userId"`);
  return deleted.map(({ userId }) => userId);
}

/** Returns the last policies for the topic, after waiting for changes that others are about to commit. */
export async function deletePoliciesOfTopic(
  tx: Queryable,
  organizationId: OrganizationId,
  topicId: TopicId,
): Promise<TopicPolicyRow[]> {
  return tx.query(sql`
    with deleted as (
      delete from topic_policies where organization_id = ${organizationId} and topic_id = ${topicId}
      returning user_id, topic_id, policy
    )
    select user_id as "userId", topic_id as "topicId", policy from deleted order by user_id`);
}
