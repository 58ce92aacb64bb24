import type { ChannelId, MessageId, OrganizationId, RecipientId, UserId } from "../../../api/ids.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { sql } from "../../platform/db/sql.ts";
import { includes } from "../channels/subscriptions/interval-bounds.ts";
import type { OwnStars } from "../read-ranges/events.ts";

/** The condition of the index of stars, word for word. */
const isStarred = sql`f.flags & 1 <> 0`;

/** All messages that a person has starred, ascending, including messages that they can't read now. */
export async function listStarred(
  tx: Queryable,
  organizationId: OrganizationId,
  userId: UserId,
): Promise<{ id: MessageId; recipientId: RecipientId; isDirect: boolean }[]> {
  return tx.query(sql`
    select m.id, m.recipient_id as "recipientId", m.topic_id is null as "isDirect"
    from message_flags f
    -- One look-up a star, whatever the statistics say: as a join, it may read all messages.
    cross join lateral (
      select * from messages where organization_id = f.organization_id and id = f.message_id offset 0
    ) m
    where f.organization_id = ${organizationId} and f.user_id = ${userId} and ${isStarred}
    order by m.id`);
}

/** That somebody may read all messages of a channel, or those that they received. */
export interface Reading {
  userId: UserId;
  channelId: ChannelId;
  isAll: boolean;
}

/** These people's stars on messages of these channels, the newest of each person. */
export async function listReturnedStars(
  tx: Queryable,
  organizationId: OrganizationId,
  readings: readonly Reading[],
  limit: number,
): Promise<OwnStars[]> {
  const userIds = readings.map(({ userId }) => userId);
  const channelIds = readings.map(({ channelId }) => channelId);
  const areAll = readings.map(({ isAll }) => isAll);
  return tx.query(sql`
    select person.user_id as "userId", star.ids as "messageIds"
    from (select distinct unnest(${userIds}::bigint[]) as user_id) person
    cross join lateral (
      select array_agg(message_id order by message_id) as ids from (
        select f.message_id from message_flags f
        cross join lateral (
          select recipient_id from messages
          where organization_id = f.organization_id and id = f.message_id and topic_id is not null offset 0
        ) m
        join unnest(${userIds}::bigint[], ${channelIds}::bigint[], ${areAll}::boolean[])
          as reading (user_id, channel_id, is_all) on reading.user_id = f.user_id and reading.channel_id = m.recipient_id
        where f.organization_id = ${organizationId} and f.user_id = person.user_id and ${isStarred}
          and (reading.is_all or exists (
            select from subscriptions s
            where s.organization_id = f.organization_id and s.user_id = f.user_id and s.channel_id = m.recipient_id
              and ${includes(sql`f.message_id`)}))
        order by f.message_id desc limit ${limit}
      ) newest
    ) star
    where star.ids is not null`);
}
