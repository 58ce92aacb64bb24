import type { ChannelId, MessageId, OrganizationId, RecipientId, UserId } from "../../../api/ids.ts";
import { includes } from "../../channels/subscriptions/interval-bounds.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { prepare, sql } from "../../platform/db/sql.ts";
import type { OwnStars } from "../read-state/events.ts";

/** The condition of the index of stars, word for word. */
const isStarred = sql`f.flags & 1 <> 0`;

/** All messages that a person has starred, ascending, including messages that they can't read now. */
export async function listStarred(
  tx: Queryable,
  organizationId: OrganizationId,
  userId: UserId,
): Promise<{ id: MessageId; recipientId: RecipientId; isDirect: boolean }[]> {
  return tx.query(
    prepare(sql`
      select m.id, m.recipient_id as "recipientId", m.topic_id is null as "isDirect"
      from message_flags f
      -- One look-up a star, whatever the statistics say: as a join, it may read all messages.
      cross join lateral (
        select * from messages where organization_id = f.organization_id and id = f.message_id offset 0
      ) m
      where f.organization_id = ${organizationId} and f.user_id = ${userId} and ${isStarred}
      order by m.id`),
  );
}

/** That somebody may read all messages of a channel, or those that they received. */
export interface Reading {
  userId: UserId;
  channelId: ChannelId;
  isAll: boolean;
}

/** These people's stars on messages of these channels, the newest of each person in a channel. */
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
    select reading.user_id as "userId", array_agg(star.id order by star.id) as "messageIds"
    from unnest(${userIds}::bigint[], ${channelIds}::bigint[], ${areAll}::boolean[])
      as reading (user_id, channel_id, is_all)
    -- One look-up a star, as above.
    cross join lateral (
      select f.message_id as id from message_flags f
      cross join lateral (
        select recipient_id from messages
        where organization_id = f.organization_id and id = f.message_id and topic_id is not null offset 0
      ) m
      where f.organization_id = ${organizationId} and f.user_id = reading.user_id and ${isStarred}
        and m.recipient_id = reading.channel_id
        and (reading.is_all or exists (
          select from subscriptions s
          where s.organization_id = f.organization_id and s.user_id = f.user_id and s.channel_id = m.recipient_id
            and ${includes(sql`f.message_id`)}))
      order by f.message_id desc limit ${limit}
    ) star
    group by reading.user_id`);
}
