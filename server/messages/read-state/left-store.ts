/** What becomes read when people leave a channel, or can read less of it. */
import type { ChannelId, MessageId, OrganizationId, UserId } from "../../../api/ids.ts";
import { beganAt, endedAt } from "../../channels/subscriptions/interval-bounds.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { sql } from "../../platform/db/sql.ts";
import { isReadNotice } from "./read-notices.ts";
import { readOnArrival } from "./read-state.ts";
import { isInRanges, isMarkedUnread, readState } from "./topic-read-states.ts";

/** With this many people, the gaps between their read ranges are too many to combine quickly. */
const MANY_PEOPLE = 100;

/** Messages that became read for each of these people, since they can't read them any more. */
export interface LeftUnread {
  userIds: UserId[];
  messageIds: MessageId[];
}

/**
 * What people who leave a channel have not read of it. People with the same unread messages come together.
 * Only the newest of more than `limit` messages are listed; when many people leave at once, only those among
 * the channel's newest. `positionRef`: the end of their subscriptions.
 */
export async function listLeftUnread(
  tx: Queryable,
  organizationId: OrganizationId,
  left: { channelId: ChannelId; userIds: readonly UserId[]; positionRef: number; limit: number },
): Promise<LeftUnread[]> {
  const { channelId, userIds, positionRef, limit } = left;
  const first =
    userIds.length < MANY_PEOPLE
      ? sql`0`
      : sql`(select min(id) from (select id from messages
          where organization_id = ${organizationId} and recipient_id = ${channelId} order by id desc limit ${limit}) m)`;
  return tx.query(sql`
    with leaver_topic as materialized (
      select user_id, topic_id, ranges, gaps, marked_unread from topic_read_states
      where organization_id = ${organizationId} and channel_id = ${channelId} and user_id = any(${userIds}::bigint[])
    ), leaver as materialized (
      -- Where messages may be unread. The rows of topics say which of these were read.
      select s.user_id, s.began_at, r.ranges, r.marked_unread, int8multirange(int8range(${first}, null)) * (
        int8multirange(int8range(s.began_at, null, '()')) - coalesce(r.ranges, '{}')
          + coalesce(r.marked_unread, '{}') + coalesce((
            select range_agg(gaps) from leaver_topic t where t.user_id = s.user_id and not isempty(gaps)), '{}')
        ) as unread
      from (
        select s.user_id, ${beganAt} as began_at from subscriptions s
        where s.organization_id = ${organizationId} and s.channel_id = ${channelId}
          and s.user_id = any(${userIds}::bigint[]) and s.to_position_ref = ${positionRef}
        offset 0
      ) s
      left join lateral ${readState(organizationId, sql`s.user_id`, sql`${channelId}::bigint`)} r on true
      where s.began_at is not null
    ), newest as materialized (
      select found.* from (select unnest(range_agg(unread)) as range from leaver) gap cross join lateral (
        select m.id, m.topic_id, case when m.facts & ${readOnArrival.factBit}::int <> 0 then m.sender_id end as reader_id,
          m.facts
        from messages m
        where m.organization_id = ${organizationId} and m.recipient_id = ${channelId}
          and m.id >= lower(gap.range) and m.id < coalesce(upper(gap.range), ${Number.MAX_SAFE_INTEGER}::bigint)
        order by m.id desc limit ${limit}
      ) found
      order by found.id desc limit ${limit}
    ), came_read as materialized (
      select f.user_id, f.message_id from message_flags f
      where f.organization_id = ${organizationId} and f.message_id in (select id from newest)
        and f.flags & ${readOnArrival.flagBit}::int <> 0
    )
    select array_agg(user_id order by user_id) as "userIds", ids as "messageIds" from (
      select r.user_id, array_agg(newest.id order by newest.id) as ids
      from leaver r
      join newest on r.unread @> newest.id and newest.reader_id is distinct from r.user_id
      left join leaver_topic t on t.user_id = r.user_id and t.topic_id = newest.topic_id
      where (newest.id > r.began_at and not ${isInRanges(sql`newest.id`)} or ${isMarkedUnread(sql`newest.id`)})
        and (r.user_id, newest.id) not in (select user_id, message_id from came_read)
        and not ${isReadNotice(organizationId, sql`newest`, sql`r.user_id`)}
      group by r.user_id
    ) each
    group by ids`);
}

/**
 * Ends what these people had as unread in a channel from outside their subscriptions. Returns the `limit`
 * newest of these messages for each person.
 */
export async function closeMarkedUnread(
  tx: Queryable,
  organizationId: OrganizationId,
  { channelId, userIds, limit }: { channelId: ChannelId; userIds: readonly UserId[]; limit: number },
): Promise<LeftUnread[]> {
  return tx.query(sql`
    with marked as materialized (
      select user_id, null::bigint as topic_id, marked_unread from read_states
      where organization_id = ${organizationId} and recipient_id = ${channelId}
        and user_id = any(${userIds}::bigint[]) and not isempty(marked_unread)
      union all
      select user_id, topic_id, marked_unread from topic_read_states
      where organization_id = ${organizationId} and channel_id = ${channelId}
        and user_id = any(${userIds}::bigint[]) and not isempty(gaps) and not isempty(marked_unread)
    ), received as materialized (
      select person.user_id, coalesce((
        select range_agg(int8range(i.began_at, i.ended_at, '()')) from (
          select ${beganAt} as began_at, ${endedAt} as ended_at from subscriptions s
          where s.organization_id = ${organizationId} and s.channel_id = ${channelId} and s.user_id = person.user_id
          offset 0
        ) i where i.began_at is not null), '{}') as ids
      from (select distinct user_id from marked) person
    ), closing as materialized (
      select marked.user_id, marked.topic_id, marked.marked_unread - received.ids as closed
      from marked join received on received.user_id = marked.user_id
    ), changed as (
      update read_states r set marked_unread = r.marked_unread - closing.closed from closing
      where r.organization_id = ${organizationId} and r.recipient_id = ${channelId} and r.user_id = closing.user_id
        and closing.topic_id is null and not isempty(closing.closed)
    ), changed_topics as (
      update topic_read_states t set marked_unread = t.marked_unread - closing.closed from closing
      where t.organization_id = ${organizationId} and t.channel_id = ${channelId} and t.user_id = closing.user_id
        and t.topic_id = closing.topic_id and not isempty(closing.closed)
    ), closed as (
      select closing.user_id, found.id, row_number() over (partition by closing.user_id order by found.id desc) as nth
      from closing cross join lateral unnest(closing.closed) as gap cross join lateral (
        select m.id from messages m
        where m.organization_id = ${organizationId} and m.recipient_id = ${channelId}
          and (closing.topic_id is null or m.topic_id = closing.topic_id)
          and m.id >= lower(gap) and m.id < coalesce(upper(gap), ${Number.MAX_SAFE_INTEGER}::bigint)
          -- What the row of a topic says does not come from the row of the channel.
          and (closing.topic_id is not null or not exists (
            select from topic_read_states t where t.organization_id = ${organizationId}
              and t.user_id = closing.user_id and t.channel_id = ${channelId} and t.topic_id = m.topic_id
              and (t.ranges @> m.id or t.marked_unread @> m.id)))
        order by m.id desc limit ${limit}
      ) found
    )
    select array_agg(user_id order by user_id) as "userIds", ids as "messageIds" from (
      select user_id, array_agg(id order by id) as ids from closed where nth <= ${limit} group by user_id
    ) each
    group by ids`);
}
