import type { ChannelId, MessageId, OrganizationId, TopicId, UserId } from "../../../api/ids.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { sql } from "../../platform/db/sql.ts";

export interface TopicEnd {
  name: string;
  newestId: MessageId;
}

/**
 * A channel's topics with their newest message within these ID ranges, newest first. Costs one probe per
 * topic.
 */
export async function listTopicEnds(
  db: Queryable,
  organizationId: OrganizationId,
  channelId: ChannelId,
  idRanges: readonly { after: number; before: number }[],
): Promise<TopicEnd[]> {
  return db.query(sql`
    select t.name, newest.id as "newestId"
    from topics t cross join lateral (
      select max(found.id) as id
      from unnest(${idRanges.map(({ after }) => after)}::bigint[], ${idRanges.map(({ before }) => before)}::bigint[])
        as id_range (after, before)
      cross join lateral (
        select m.id from messages m
        where m.organization_id = t.organization_id and m.topic_id = t.id
          and m.id > id_range.after and m.id < id_range.before
        order by m.id desc limit 1
      ) found
    ) newest
    where t.organization_id = ${organizationId} and t.channel_id = ${channelId} and newest.id is not null
    order by newest.id desc`);
}

/** Whether a topic has a message within one of these ID ranges. */
export async function hasTopicMessages(
  db: Queryable,
  organizationId: OrganizationId,
  topicId: TopicId,
  idRanges: readonly { after: number; before: number }[],
): Promise<boolean> {
  const [row] = await db.query(sql`
    select from unnest(${idRanges.map(({ after }) => after)}::bigint[], ${idRanges.map(({ before }) => before)}::bigint[])
      as id_range (after, before)
    cross join lateral (
      select from messages m where m.organization_id = ${organizationId} and m.topic_id = ${topicId}
        and m.id > id_range.after and m.id < id_range.before
      limit 1
    ) found
    limit 1`);
  return row !== undefined;
}

/** The people who have written or reacted in a topic, or with messages that will move to it. */
export async function listParticipants(
  db: Queryable,
  organizationId: OrganizationId,
  topicId: TopicId,
  comingIds: readonly MessageId[],
): Promise<UserId[]> {
  const placed = sql`m.organization_id = ${organizationId} and m.topic_id = ${topicId}`;
  const coming = sql`m.organization_id = ${organizationId} and m.id = any(${comingIds}::bigint[])`;
  const isReacted = sql`r.organization_id = m.organization_id and r.message_id = m.id`;
  const rows = await db.query<{ id: UserId }>(sql`
    select m.sender_id as id from messages m where ${placed}
    union
    select r.user_id from messages m join reactions r on ${isReacted} where ${placed}
    union
    select m.sender_id from messages m where ${coming}
    union
    select r.user_id from messages m join reactions r on ${isReacted} where ${coming}`);
  return rows.map(({ id }) => id);
}
