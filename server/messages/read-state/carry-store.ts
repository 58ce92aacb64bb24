/** Read states of messages that move to another topic (decision 59). */
import type { ChannelId, MessageId, OrganizationId, TopicId, UserId } from "../../../api/ids.ts";
import { beganAt, endedAt } from "../../channels/subscriptions/interval-bounds.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { type Sql, sql } from "../../platform/db/sql.ts";
import { isReadNotice } from "./read-notices.ts";
import { readOnArrival } from "./read-state.ts";
import { markedRanges, readRanges, readState, topicReadState } from "./topic-read-states.ts";

/** Readers of messages that moved out of a topic of a channel. */
export interface MovedFrom {
  ids: readonly MessageId[];
  from: { channelId: ChannelId; topicId: TopicId };
  userIds: readonly UserId[];
}

/**
 * For the head of a statement that has a table `moved` with one set of ids. `reader`: what each of these
 * people had not read of them in their old topic, messages that were marked unread by hand among them. It
 * holds messages that came as read too.
 */
function readersBefore(organizationId: OrganizationId, { from, userIds }: Omit<MovedFrom, "ids">): Sql {
  const person = sql`person.user_id`;
  const ofTopic = { channelId: sql`${from.channelId}::bigint`, topicId: sql`${from.topicId}::bigint` };
  return sql`
    reader as materialized (
      select person.user_id, case when person.began_at is null then '{}' else moved.ids * (
        (int8multirange(int8range(person.began_at, null, '()')) - ${readRanges}) + ${markedRanges}) end as unread
      from (
        select person.user_id, (
          select ${beganAt} from subscriptions s
          where s.organization_id = ${organizationId} and s.channel_id = ${from.channelId}
            and s.user_id = person.user_id and s.to_position_ref is null
        ) as began_at
        from unnest(${userIds}::bigint[]) as person (user_id)
        offset 0
      ) person
      cross join moved
      left join lateral ${readState(organizationId, person, sql`${from.channelId}::bigint`)} r on true
      left join lateral ${topicReadState(organizationId, person, ofTopic)} t on true
    )`;
}

/**
 * A table `moved` with the ids of messages that are in a topic by now. They are stretched over ids of no
 * message of the topic, so neighbours are one range. So a whole topic that moved is a few ranges.
 */
function movedInto(organizationId: OrganizationId, topicId: TopicId, ids: readonly MessageId[]): Sql {
  const [first, last] = [ids[0] ?? 0, ids.at(-1) ?? 0];
  return sql`
    moved as materialized (
      select coalesce(range_agg(int8range(coalesce(earlier, id - 1), id, '(]')), '{}') as ids from (
        select m.id, lag(m.id) over (order by m.id) as earlier from messages m
        where m.organization_id = ${organizationId} and m.topic_id = ${topicId} and m.id >= ${first} and m.id <= ${last}
      ) placed where id = any(${ids}::bigint[])
    )`;
}

/**
 * Updates read states after a move to another channel. Messages that a person had not read in the old channel
 * stay unread, and all other moved messages are read. Where history is not shared, only messages that the
 * person received in the new channel stay unread: the others are out of reach there. It works on sets of
 * ranges, so it costs at most one row for each subscriber of the new channel, however many messages moved.
 * Nothing is written for people whose floor in the new channel says that they have read them. The ids ascend.
 */
export async function upsertMoved(
  tx: Queryable,
  organizationId: OrganizationId,
  to: { id: ChannelId; topicId: TopicId; isHistoryShared: boolean },
  { ids, from, userIds }: MovedFrom,
): Promise<void> {
  const received = sql`(
    select coalesce(range_agg(int8range(interval.began_at, interval.ended_at, '()')), '{}') from (
      select ${beganAt} as began_at, ${endedAt} as ended_at from subscriptions s
      where s.organization_id = ${organizationId} and s.user_id = reader.user_id and s.channel_id = ${to.id}
    ) interval where interval.began_at is not null)`;
  const unread = to.isHistoryShared ? sql`reader.unread` : sql`reader.unread * ${received}`;
  const ofTopic = { channelId: sql`${to.id}::bigint`, topicId: sql`${to.topicId}::bigint` };
  await tx.query(sql`
    with ${movedInto(organizationId, to.topicId, ids)}, ${readersBefore(organizationId, { from, userIds })}
    insert into topic_read_states (organization_id, user_id, channel_id, topic_id, ranges, gaps, marked_unread)
    select ${organizationId}, reader.user_id, ${to.id}, ${to.topicId}, moved.ids - stays.unread, stays.unread,
      stays.unread
    from reader cross join moved cross join lateral (select ${unread} as unread offset 0) stays
    left join lateral ${readState(organizationId, sql`reader.user_id`, sql`${to.id}::bigint`)} r on true
    left join lateral ${topicReadState(organizationId, sql`reader.user_id`, ofTopic)} t on true
    where not (isempty(stays.unread) and t.topic_id is null and coalesce(
      r.ranges @> moved.ids and not r.marked_unread && moved.ids, false))
    -- Two moves at once take the rows' locks in one order.
    order by reader.user_id
    on conflict (organization_id, user_id, channel_id, topic_id) do update
    set ranges = (topic_read_states.ranges + excluded.ranges) - excluded.gaps,
      gaps = (topic_read_states.gaps + excluded.gaps) - excluded.ranges,
      marked_unread = (topic_read_states.marked_unread + excluded.marked_unread) - excluded.ranges`);
}

/**
 * Updates read states after a move to another topic of the channel. The row of the channel speaks of the
 * messages as before. So only people with a row of one of the topics are touched: the new row says of the
 * messages what the old one did. The ids ascend.
 */
export async function upsertMovedWithin(
  tx: Queryable,
  organizationId: OrganizationId,
  {
    ids,
    channelId,
    from,
    to,
  }: { ids: readonly MessageId[]; channelId: ChannelId; from: TopicId; to: TopicId },
): Promise<void> {
  const rowOf = (topicId: TopicId) =>
    topicReadState(organizationId, sql`person.user_id`, {
      channelId: sql`${channelId}::bigint`,
      topicId: sql`${topicId}::bigint`,
    });
  await tx.query(sql`
    with ${movedInto(organizationId, to, ids)}, change as materialized (
      select person.user_id, coalesce(was.ranges * moved.ids, '{}') as ranges,
        coalesce(was.gaps * moved.ids, '{}') as gaps, coalesce(was.marked_unread * moved.ids, '{}') as marked_unread,
        here.topic_id is not null as has_row
      from (
        select distinct user_id from topic_read_states
        where organization_id = ${organizationId} and topic_id in (${from}, ${to})
      ) person
      cross join moved
      left join lateral ${rowOf(from)} was on true
      left join lateral ${rowOf(to)} here on true
    )
    insert into topic_read_states (organization_id, user_id, channel_id, topic_id, ranges, gaps, marked_unread)
    select ${organizationId}, user_id, ${channelId}, ${to}, ranges, gaps, marked_unread from change
    where has_row or not (isempty(ranges) and isempty(gaps))
    order by user_id
    on conflict (organization_id, user_id, channel_id, topic_id) do update
    set ranges = (topic_read_states.ranges - (select ids from moved)) + excluded.ranges,
      gaps = (topic_read_states.gaps - (select ids from moved)) + excluded.gaps,
      marked_unread = (topic_read_states.marked_unread - (select ids from moved)) + excluded.marked_unread`);
}

/**
 * The messages that these people had not read before a move. People who had read all of them are left
 * out.
 */
export async function listUnreadBefore(
  tx: Queryable,
  organizationId: OrganizationId,
  { ids, ...readers }: MovedFrom,
): Promise<{ userId: UserId; ids: MessageId[] }[]> {
  return tx.query(sql`
    with moved as (
      select range_agg(int8range(id, id, '[]')) as ids from unnest(${ids}::bigint[]) as id
    ), ${readersBefore(organizationId, readers)}, message as materialized (
      select m.id, m.sender_id, m.facts from messages m
      where m.organization_id = ${organizationId} and m.id = any(${ids}::bigint[])
    )
    select * from (
      select reader.user_id as "userId", array(
        select message.id from message
        where reader.unread @> message.id
          and not (message.sender_id = reader.user_id and message.facts & ${readOnArrival.factBit}::int <> 0)
          and not exists (select from message_flags f where f.organization_id = ${organizationId}
            and f.user_id = reader.user_id and f.message_id = message.id
            and f.flags & ${readOnArrival.flagBit}::int <> 0)
          and not ${isReadNotice(organizationId, sql`message`, sql`reader.user_id`)}
        order by message.id
      ) as ids
      from reader where not isempty(reader.unread)
    ) each
    where ids <> '{}'`);
}
