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

/**
 * Adds messages to what a person has read. Each range grows back over ids without a message of its topic or
 * conversation, the person's own messages, and messages that arrived as read. `hasMuted` says whether there
 * may be any of the last kind. So reading a topic in order makes one range, whatever else the channel holds.
 *
 * Where everything after the floor of a channel is read now, its floor rises to the next unread message. Rows
 * of topics that have nothing above it are not written, or go. So somebody who reads a whole channel has one
 * range and no rows of topics.
 *
 * Returns the rows that have grown too large.
 */
export async function insertRead(
  tx: Queryable,
  organizationId: OrganizationId,
  userId: UserId,
  ids: readonly MessageId[],
  { hasMuted }: { hasMuted: boolean } = { hasMuted: false },
): Promise<Oversized[]> {
  const walked = Math.min(MAX_WALKED, WALKED + WALKED_FOR_EACH * ids.length);
  const me = sql`${userId}::bigint`;
  const cameRead = (message: Sql) => sql`(
    ${message}.sender_id = ${me} and ${message}.facts & ${readOnArrival.factBit}::int <> 0
    or ${isReadNotice(organizationId, message, me)}
    or ${hasMuted} and exists (
      select from message_flags f where f.organization_id = ${organizationId} and f.user_id = ${me}
        and f.message_id = ${message}.id and f.flags & ${readOnArrival.flagBit}::int <> 0))`;
  /** The id after which a range begins, which ends with a message `m`. */
  const start = (place: Sql) => {
    const earlier = sql`(
      select p.id, p.sender_id, p.facts from messages p
      where p.organization_id = ${organizationId} and ${place} and p.id < m.id
      order by p.id desc limit ${MAX_OWN}
    ) earlier`;
    return sql`coalesce(
      (select earlier.id from ${earlier} where not ${cameRead(sql`earlier`)} order by earlier.id desc limit 1),
      (select min(earlier.id) - 1 from ${earlier}), 0)`;
  };
  const ofChannel = { channelId: sql`w.channel_id`, topicId: sql`w.topic_id` };
  const statement = sql`
    with place as materialized (
      select recipient_id, topic_id, range_agg(int8range(start, id, '(]')) as ranges, min(id) as first_id,
        max(id) as last_id
      from (
        select m.id, m.recipient_id, m.topic_id, case when m.topic_id is null
          then ${start(sql`p.recipient_id = m.recipient_id`)} else ${start(sql`p.topic_id = m.topic_id`)} end as start
        from messages m where m.organization_id = ${organizationId} and m.id = any(${ids}::bigint[])
      ) marked
      group by recipient_id, topic_id
    ), direct as (
      insert into read_states (organization_id, user_id, recipient_id, ranges)
      select ${organizationId}, ${me}, recipient_id, ranges from place where topic_id is null
      -- Two calls at once take the rows' locks in one order.
      order by recipient_id
      on conflict (organization_id, user_id, recipient_id) do update
      set ranges = read_states.ranges + excluded.ranges,
        marked_unread = read_states.marked_unread - excluded.ranges
      returning recipient_id, ${pieces(sql`read_states.ranges`)} as pieces
    ), channel as materialized (
      -- Nothing before the subscription is unread, so the floor is at its beginning at least.
      select c.recipient_id as id, greatest(upper(r.ranges) - 1, s.began_at) as floor, r.marked_unread
      from (select distinct recipient_id from place where topic_id is not null) c
      cross join lateral (
        select ${beganAt} as began_at from subscriptions s
        where s.organization_id = ${organizationId} and s.channel_id = c.recipient_id and s.user_id = ${me}
          and s.to_position_ref is null
        offset 0
      ) s
      left join lateral ${readState(organizationId, me, sql`c.recipient_id`)} r on true
      where s.began_at is not null
    ), walk as materialized (
      select channel.id as channel_id, channel.floor, m.id, m.topic_id, ${cameRead(sql`m`)} as came_read
      from channel cross join lateral (
        select m.id, m.topic_id, m.sender_id, m.facts from messages m
        where m.organization_id = ${organizationId} and m.recipient_id = channel.id and m.id > channel.floor
        order by m.id limit (select greatest(${walked}::int / count(*), 10) from channel)
      ) m
    ), fold as materialized (
      select w.channel_id, w.floor as before,
        coalesce(min(w.id) filter (where not (w.came_read or coalesce(place.ranges @> w.id, false)
          or coalesce(t.ranges @> w.id, false))) - 1, max(w.id)) as floor
      from walk w
      left join place on place.topic_id = w.topic_id
      left join lateral ${topicReadState(organizationId, me, ofChannel)} t
        on not (w.came_read or coalesce(place.ranges @> w.id, false))
      group by w.channel_id, w.floor
    ), folded as (
      insert into read_states (organization_id, user_id, recipient_id, ranges)
      select ${organizationId}, ${me}, channel_id, int8multirange(int8range(before, floor, '(]'))
      from fold where floor > before
      order by channel_id
      on conflict (organization_id, user_id, recipient_id) do update
      set ranges = read_states.ranges + excluded.ranges
    ), kept as materialized (
      select place.recipient_id as channel_id, place.topic_id, place.ranges from place
      left join fold on fold.channel_id = place.recipient_id
      left join channel on channel.id = place.recipient_id
      left join lateral ${topicReadState(organizationId, me, { channelId: sql`place.recipient_id`, topicId: sql`place.topic_id` })} t
        on true
      where place.topic_id is not null and not coalesce(
        -- The floor says it, and nothing speaks against the floor.
        place.first_id > fold.before and place.last_id <= fold.floor and coalesce(isempty(t.gaps), true)
          and not place.ranges && channel.marked_unread is true, false)
    ), topic as (
      insert into topic_read_states (organization_id, user_id, channel_id, topic_id, ranges)
      select ${organizationId}, ${me}, channel_id, topic_id, ranges from kept
      order by channel_id, topic_id
      on conflict (organization_id, user_id, channel_id, topic_id) do update
      set ranges = topic_read_states.ranges + excluded.ranges, gaps = topic_read_states.gaps - excluded.ranges,
        marked_unread = topic_read_states.marked_unread - excluded.ranges
      returning channel_id, topic_id, ${pieces(sql`topic_read_states.ranges`)} as pieces
    ), done as (
      delete from topic_read_states t using fold
      where t.organization_id = ${organizationId} and t.user_id = ${me} and t.channel_id = fold.channel_id
        and fold.floor > fold.before and upper(t.ranges) - 1 <= fold.floor and isempty(t.gaps)
        and t.topic_id = any(array(
          select topic_id from walk where walk.channel_id = fold.channel_id and walk.id <= fold.floor))
        and t.topic_id <> all(array(select topic_id from kept))
    )
    select channel_id as "recipientId", topic_id as "topicId" from topic where pieces > ${MAX_PIECES}
    union all
    select recipient_id, null from direct where pieces > ${MAX_PIECES}`;
  return tx.query(prepare(statement));
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
