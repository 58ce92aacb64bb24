/**
 * Marks, written to the rows of topics and conversations (decision 59). Rows of topics go up in the row of
 * their channel as its floor rises.
 */
import type { ChannelId, MessageId, OrganizationId, Position, UserId } from "../../../api/ids.ts";
import { beganAt } from "../../channels/subscriptions/interval-bounds.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { prepare, type Sql, sql } from "../../platform/db/sql.ts";
import { headsQuery } from "../../platform/log/store.ts";
import { MAX_PIECES, type Oversized, pieces } from "./bound-store.ts";
import { isReadNotice } from "./read-notices.ts";
import { readOnArrival } from "./read-state.ts";
import { readState, topicReadState } from "./topic-read-states.ts";

/** How many messages before a read message are examined, to include them in its range. */
const MAX_OWN = 200;

/**
 * How many messages above its floors a call examines at least, and how many more for each message that it
 * marks. So the floors rise faster than marks run ahead of them.
 */
const WALKED = 50;
const WALKED_FOR_EACH = 2;
const MAX_WALKED = 1000;

/** Messages that a person has read. */
export interface ReadMark {
  userId: UserId;
  ids: readonly MessageId[];
  /** Whether some messages may have been read on arrival, since the person had muted the senders. */
  hasMuted: boolean;
}

/**
 * Adds messages to what people have read, each person once. Each range grows back over ids without a message
 * of its topic or conversation, the person's own messages, and messages that arrived as read. So reading a
 * topic in order makes one range, whatever else the channel holds.
 *
 * Where everything after the floor of a channel is read now, its floor rises to the next unread message. Rows
 * of topics that have nothing above it are not written, or go. So somebody who reads a whole channel has one
 * range and no rows of topics. Rows that others hold stay.
 *
 * Gives the rows that have grown too large, for one person.
 */
export function insertReadStatement(organizationId: OrganizationId, marks: readonly ReadMark[]): Sql {
  const each = marks.flatMap(({ userId, ids, hasMuted }) => {
    const walked = Math.min(MAX_WALKED, WALKED + WALKED_FOR_EACH * ids.length);
    return ids.map((id) => ({ userId, id, hasMuted, walked }));
  });
  /** `person`: a row with `user_id` and `has_muted`. */
  const cameRead = (message: Sql, person: Sql) => sql`(
    ${message}.sender_id = ${person}.user_id and ${message}.facts & ${readOnArrival.factBit}::int <> 0
    or ${isReadNotice(organizationId, message, sql`${person}.user_id`)}
    or ${person}.has_muted and exists (
      select from message_flags f where f.organization_id = ${organizationId} and f.user_id = ${person}.user_id
        and f.message_id = ${message}.id and f.flags & ${readOnArrival.flagBit}::int <> 0))`;
  /** The id after which a range begins, which ends with a message `m`. */
  const start = (place: Sql) => {
    const earlier = sql`(
      select p.id, p.sender_id, p.facts from messages p
      where p.organization_id = ${organizationId} and ${place} and p.id < m.id
      order by p.id desc limit ${MAX_OWN}
    ) earlier`;
    return sql`coalesce(
      (select earlier.id from ${earlier} where not ${cameRead(sql`earlier`, sql`m`)} order by earlier.id desc limit 1),
      (select min(earlier.id) - 1 from ${earlier}), 0)`;
  };
  /** The messages above the floor of a row `channel`, as far as they are looked at. */
  const walk = sql`(
    select m.id, m.topic_id, m.sender_id, m.facts from messages m
    where m.organization_id = ${organizationId} and m.recipient_id = channel.id and m.id > channel.floor
    order by m.id limit channel.walked
  ) w`;
  const rowOf = (person: Sql, channelId: Sql, topicId: Sql) =>
    topicReadState(organizationId, person, { channelId, topicId });
  return prepare(sql`
    with marked as materialized (
      select asked.user_id, asked.has_muted, asked.walked, m.id, m.recipient_id, m.topic_id
      from unnest(${each.map(({ userId }) => userId)}::bigint[], ${each.map(({ id }) => id)}::bigint[],
        ${each.map(({ hasMuted }) => hasMuted)}::boolean[], ${each.map(({ walked }) => walked)}::int[])
        as asked (user_id, id, has_muted, walked)
      cross join lateral (
        select id, recipient_id, topic_id from messages where organization_id = ${organizationId} and id = asked.id
        offset 0
      ) m
    ), place as materialized (
      select user_id, recipient_id, topic_id, range_agg(int8range(start, id, '(]')) as ranges, min(id) as first_id,
        max(id) as last_id
      from (
        select m.user_id, m.id, m.recipient_id, m.topic_id, case when m.topic_id is null
          then ${start(sql`p.recipient_id = m.recipient_id`)} else ${start(sql`p.topic_id = m.topic_id`)} end as start
        from marked m
      ) started
      group by user_id, recipient_id, topic_id
    ), direct as (
      insert into read_states (organization_id, user_id, recipient_id, ranges)
      select ${organizationId}, user_id, recipient_id, ranges from place where topic_id is null
      -- Two calls at once take the rows' locks in one order.
      order by user_id, recipient_id
      on conflict (organization_id, user_id, recipient_id) do update
      set ranges = read_states.ranges + excluded.ranges,
        marked_unread = read_states.marked_unread - excluded.ranges
      returning recipient_id, ${pieces(sql`read_states.ranges`)} as pieces
    ), channel as materialized (
      -- Nothing before the subscription is unread, so the floor is at its beginning at least.
      select c.user_id, c.has_muted, c.id, c.marked, c.walked, greatest(upper(r.ranges) - 1, s.began_at) as floor,
        r.marked_unread
      from (
        select user_id, has_muted, recipient_id as id, range_agg(int8range(id, id, '[]')) as marked,
          greatest(walked / count(*) over (partition by user_id), 10) as walked
        from marked where topic_id is not null group by user_id, has_muted, walked, recipient_id
      ) c
      cross join lateral (
        select ${beganAt} as began_at from subscriptions s
        where s.organization_id = ${organizationId} and s.channel_id = c.id and s.user_id = c.user_id
          and s.to_position_ref is null
        offset 0
      ) s
      left join lateral ${readState(organizationId, sql`c.user_id`, sql`c.id`)} r on true
      where s.began_at is not null
    ), fold as materialized (
      -- It looks no further than to the first that is unread.
      select channel.user_id, channel.id as channel_id, channel.marked_unread, channel.floor as before, coalesce((
        select w.id - 1 from ${walk}
        left join lateral ${rowOf(sql`channel.user_id`, sql`channel.id`, sql`w.topic_id`)} t on true
        where not (channel.marked @> w.id or coalesce(t.ranges @> w.id, false)
          or ${cameRead(sql`w`, sql`channel`)})
        order by w.id limit 1), (select max(w.id) from ${walk})) as floor
      from channel
    ), folded as (
      insert into read_states (organization_id, user_id, recipient_id, ranges)
      select ${organizationId}, user_id, channel_id, int8multirange(int8range(before, floor, '(]'))
      from fold where floor > before
      order by user_id, channel_id
      on conflict (organization_id, user_id, recipient_id) do update
      set ranges = read_states.ranges + excluded.ranges
    ), kept as materialized (
      select place.user_id, place.recipient_id as channel_id, place.topic_id, place.ranges from place
      left join fold on fold.user_id = place.user_id and fold.channel_id = place.recipient_id
      left join channel on channel.user_id = place.user_id and channel.id = place.recipient_id
      left join lateral ${rowOf(sql`place.user_id`, sql`place.recipient_id`, sql`place.topic_id`)} t on true
      where place.topic_id is not null and not coalesce(
        -- The floor says it, and nothing speaks against the floor.
        place.first_id > fold.before and place.last_id <= fold.floor and coalesce(isempty(t.gaps), true)
          and not place.ranges && channel.marked_unread is true, false)
    ), topic as (
      insert into topic_read_states (organization_id, user_id, channel_id, topic_id, ranges)
      select ${organizationId}, user_id, channel_id, topic_id, ranges from kept
      order by user_id, channel_id, topic_id
      on conflict (organization_id, user_id, channel_id, topic_id) do update
      set ranges = topic_read_states.ranges + excluded.ranges, gaps = topic_read_states.gaps - excluded.ranges,
        marked_unread = topic_read_states.marked_unread - excluded.ranges
      returning channel_id, topic_id, ${pieces(sql`topic_read_states.ranges`)} as pieces
    ), done as (
      delete from topic_read_states where ctid = any(array(
        select row.ctid from fold
        cross join lateral (
          select distinct m.topic_id from messages m
          where m.organization_id = ${organizationId} and m.recipient_id = fold.channel_id and m.id > fold.before
            and m.id <= fold.floor
        ) walked
        cross join lateral (
          select ctid from topic_read_states
          where organization_id = ${organizationId} and user_id = fold.user_id and channel_id = fold.channel_id
            and topic_id = walked.topic_id and upper(ranges) - 1 <= fold.floor and isempty(gaps)
            -- A row of an older release may say of these that they are unread.
            and not coalesce(ranges && fold.marked_unread, false)
          offset 0
          -- LOCK: a move may hold the row, and a group of marks waits for nobody. What stays does no harm.
          for update skip locked
        ) row
        where fold.floor > fold.before and not exists (
          select from kept where kept.user_id = fold.user_id and kept.channel_id = fold.channel_id
            and kept.topic_id = walked.topic_id)
      ))
    )
    select channel_id as "recipientId", topic_id as "topicId" from topic where pieces > ${MAX_PIECES}
    union all
    select recipient_id, null from direct where pieces > ${MAX_PIECES}`);
}

/**
 * Marks everything up to now as read, in the channels that a person is subscribed to and in all of their
 * conversations. Elsewhere nothing is unread. Returns the log's head that "now" means.
 */
export async function insertAllRead(
  tx: Queryable,
  organizationId: OrganizationId,
  userId: UserId,
): Promise<Position> {
  const writeAndLook = sql`
    with place as materialized (
      select channel_id as id from subscriptions
      where organization_id = ${organizationId} and user_id = ${userId} and to_position_ref is null
      union all
      select conversation_id from conversation_members
      where organization_id = ${organizationId} and user_id = ${userId}
    ), written as (
      insert into read_states (organization_id, user_id, recipient_id, ranges)
      select ${organizationId}, ${userId}, place.id, int8multirange(int8range(0, newest.id, '[]'))
      from place
      -- Positions are given out in commit order, so whatever is older than a message that can be seen can be
      -- seen, too.
      cross join lateral (
        select m.id from messages m
        where m.organization_id = ${organizationId} and m.recipient_id = place.id
        order by m.id desc limit 1
      ) newest
      left join read_states r
        on r.organization_id = ${organizationId} and r.user_id = ${userId} and r.recipient_id = place.id
      where r.recipient_id is null or not r.ranges @> int8range(1, newest.id, '[]') or not isempty(r.marked_unread)
      order by place.id
      on conflict (organization_id, user_id, recipient_id) do update
      set ranges = read_states.ranges + excluded.ranges,
        marked_unread = read_states.marked_unread - excluded.ranges
    ), done as (
      delete from topic_read_states
      where organization_id = ${organizationId} and user_id = ${userId} and channel_id in (select id from place)
    )
    select head from (${headsQuery(organizationId)}) as log`;
  const [row] = await tx.query<{ head: Position }>(prepare(writeAndLook));
  return (row as { head: Position }).head;
}

/** Deletes what people had marked as unread in a channel. Must be called under `lockReadState`. */
export async function deleteMarkedUnread(
  tx: Queryable,
  organizationId: OrganizationId,
  channelId: ChannelId,
  userIds: readonly UserId[],
): Promise<void> {
  await tx.query(sql`
    with changed as (
      update topic_read_states set marked_unread = '{}'
      where organization_id = ${organizationId} and channel_id = ${channelId} and user_id = any(${userIds}::bigint[])
        and not isempty(gaps) and not isempty(marked_unread)
    )
    update read_states set marked_unread = '{}'
    where organization_id = ${organizationId} and recipient_id = ${channelId} and user_id = any(${userIds}::bigint[])
      and not isempty(marked_unread)`);
}

/**
 * Takes messages out of what a person has read. A message from before the present subscription would still
 * count as read, so it is kept as marked unread. Returns the rows that have grown too large.
 */
export async function deleteRead(
  tx: Queryable,
  organizationId: OrganizationId,
  userId: UserId,
  messages: readonly { id: MessageId; isEarlier: boolean }[],
): Promise<Oversized[]> {
  return tx.query(sql`
    with place as materialized (
      select recipient_id, topic_id, range_agg(range) as ranges,
        coalesce(range_agg(range) filter (where is_earlier), '{}') as marked
      from (
        -- A gap grows back over ids without a message of the topic, so a stretch of messages is one gap.
        select m.recipient_id, m.topic_id, message.is_earlier, int8range(coalesce((
          select p.id from messages p
          where p.organization_id = ${organizationId} and p.topic_id = m.topic_id and p.id < m.id
          order by p.id desc limit 1), m.id - 1), m.id, '(]') as range
        from unnest(${messages.map(({ id }) => id)}::bigint[],
          ${messages.map(({ isEarlier }) => isEarlier)}::boolean[]) as message (id, is_earlier)
        cross join lateral (
          select id, recipient_id, topic_id from messages
          where organization_id = ${organizationId} and id = message.id offset 0
        ) m
      ) point
      group by recipient_id, topic_id
    ), direct as (
      insert into read_states (organization_id, user_id, recipient_id, ranges, marked_unread)
      select ${organizationId}, ${userId}, recipient_id, '{}', marked from place where topic_id is null
      order by recipient_id
      on conflict (organization_id, user_id, recipient_id) do update
      set ranges = read_states.ranges
          - (select ranges from place where topic_id is null and place.recipient_id = excluded.recipient_id),
        marked_unread = read_states.marked_unread + excluded.marked_unread
      returning recipient_id, ${pieces(sql`read_states.ranges`)} as pieces
    ), topic as (
      insert into topic_read_states (organization_id, user_id, channel_id, topic_id, gaps, marked_unread)
      select ${organizationId}, ${userId}, recipient_id, topic_id, ranges, marked from place
      where topic_id is not null order by recipient_id, topic_id
      on conflict (organization_id, user_id, channel_id, topic_id) do update
      set ranges = topic_read_states.ranges - excluded.gaps, gaps = topic_read_states.gaps + excluded.gaps,
        marked_unread = topic_read_states.marked_unread + excluded.marked_unread
      returning channel_id, topic_id, ${pieces(sql`topic_read_states.ranges`)}
        + ${pieces(sql`topic_read_states.gaps`)} as pieces
    )
    select channel_id as "recipientId", topic_id as "topicId" from topic where pieces > ${MAX_PIECES}
    union all
    select recipient_id, null from direct where pieces > ${MAX_PIECES}`);
}
