import type { ChannelId, OrganizationId, TopicId, UserId } from "../../../api/ids.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { sql } from "../../platform/db/sql.ts";
import { type TopicPolicy, topicPolicies } from "./policy.ts";

/** A topic that somebody has a policy for. */
export interface UserTopic {
  topicId: TopicId;
  channelId: ChannelId;
  topic: string;
  policy: TopicPolicy;
  updatedAt: Date;
}

/** A person's topics and what they want of them, also in channels that they can't see at present. */
export async function listUserTopics(
  tx: Queryable,
  organizationId: OrganizationId,
  userId: UserId,
): Promise<UserTopic[]> {
  return tx.query(sql`
    select p.topic_id as "topicId", p.policy, p.updated_at as "updatedAt", t.channel_id as "channelId", t.name as topic
    from topic_policies p join topics t on t.organization_id = p.organization_id and t.id = p.topic_id
    where p.organization_id = ${organizationId} and p.user_id = ${userId}
    order by p.topic_id`);
}

/** The topics that these people muted. */
export async function listMutedTopics(
  tx: Queryable,
  organizationId: OrganizationId,
  userIds: readonly UserId[],
): Promise<(Omit<UserTopic, "policy"> & { userId: UserId })[]> {
  return tx.query(sql`
    select p.user_id as "userId", p.topic_id as "topicId", p.updated_at as "updatedAt", t.channel_id as "channelId",
      t.name as topic
    from topic_policies p join topics t on t.organization_id = p.organization_id and t.id = p.topic_id
    where p.organization_id = ${organizationId} and p.user_id = any(${userIds}::bigint[])
      and p.policy = ${topicPolicies.muted}
    order by p.topic_id`);
}
