import type {
  ChannelId,
  MessageId,
  OrganizationId,
  Position,
  RecipientId,
  UserId,
} from "../../../api/ids.ts";
import { beganAt, endedAt } from "../../channels/subscriptions/interval-bounds.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { prepare, type Sql, sql } from "../../platform/db/sql.ts";
import { isReadNotice } from "./read-notices.ts";
import { readOnArrival } from "./read-state.ts";

/** How many messages before a read message are examined, to include them in its range. */
const MAX_OWN = 200;
/** With this many people, the gaps between their read ranges are too many to combine quickly. */
const MANY_PEOPLE = 100;

/**
 * Adds messages to what a person has read. Each range grows back over ids without a message of its
 * conversation, the person's own messages, and messages that arrived as read. `hasMuted` says whether there
 * may be any of the last kind. So reading everything makes one range, however many other conversations had
 * messages in between.
 */
export async function insertRead(
  tx: Queryable,
  organizationId: OrganizationId,
  userId: UserId,
  ids: readonly MessageId[],
  { hasMuted }: { hasMuted: boolean } = { hasMuted: false },
): Promise<void> {
  const rows = sql`
    select ${organizationId}, ${userId}, m.recipient_id, range_agg(int8range(coalesce(
      (
        select earlier.id from (
          select p.id, p.sender_id, p.facts from messages p
          where p.organization_id = m.organization_id and p.recipient_id = m.recipient_id and p.id < m.id
          order by p.id desc limit ${MAX_OWN}
        ) earlier
        where not (earlier.sender_id = ${userId} and earlier.facts & ${readOnArrival.factBit}::int <> 0)
          and not (${hasMuted} and exists (
            select from message_flags f where f.organization_id = ${organizationId} and f.user_id = ${userId}
              and f.message_id = earlier.id and f.flags & ${readOnArrival.flagBit}::int <> 0))
          and not ${isReadNotice(organizationId, sql`earlier`, sql`${userId}::bigint`)}
        order by earlier.id desc limit 1
      ), (
        select min(earlier.id) - 1 from (
          select p.id from messages p
          where p.organization_id = m.organization_id and p.recipient_id = m.recipient_id and p.id < m.id
          order by p.id desc limit ${MAX_OWN}
        ) earlier
      ), 0), m.id, '(]'))
    from messages m
    where m.organization_id = ${organizationId} and m.id = any(${ids}::bigint[])
    group by m.recipient_id
    -- Two calls at once take the rows' locks in one order.
    order by m.recipient_id`;
  await tx.query(prepare(upsertRead(rows)));
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
  const rows = sql`
    select ${organizationId}, ${userId}, place.id, int8multirange(int8range(0, newest.id, '[]'))
    from (
      select channel_id as id from subscriptions
      where organization_id = ${organizationId} and user_id = ${userId} and to_position_ref is null
      union all
      select conversation_id from conversation_members
      where organization_id = ${organizationId} and user_id = ${userId}
    ) place
    -- Positions are given out in commit order, so whatever is older than a message that can be seen can be seen, too.
    cross join lateral (
      select m.id from messages m
      where m.organization_id = ${organizationId} and m.recipient_id = place.id
      order by m.id desc limit 1
    ) newest
    left join read_states r
      on r.organization_id = ${organizationId} and r.user_id = ${userId} and r.recipient_id = place.id
    where r.recipient_id is null or not r.ranges @> int8range(1, newest.id, '[]') or not isempty(r.marked_unread)
    order by place.id`;
  const writeAndLook = sql`
    with written as (${upsertRead(rows)})
    select head from organization_logs where organization_id = ${organizationId}`;
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
    update read_states set marked_unread = '{}'
    where organization_id = ${organizationId} and recipient_id = ${channelId} and user_id = any(${userIds}::bigint[])
      and not isempty(marked_unread)`);
}

/**
 * Adds ranges to what was read. `rows`: organization, person, recipient and ranges, in the order of the row
 * locks.
 */
function upsertRead(rows: Sql): Sql {
  return sql`
    insert into read_states (organization_id, user_id, recipient_id, ranges)
    ${rows}
    on conflict (organization_id, user_id, recipient_id) do update
    set ranges = read_states.ranges + excluded.ranges,
      marked_unread = read_states.marked_unread - excluded.ranges`;
}

/**
 * Takes messages out of what a person has read. A message from before the present subscription would still
 * count as read, so it is kept as marked unread.
 */
export async function deleteRead(
  tx: Queryable,
  organizationId: OrganizationId,
  userId: UserId,
  messages: readonly { id: MessageId; recipientId: RecipientId; isEarlier: boolean }[],
): Promise<void> {
  await tx.query(sql`
    with change as (
      select recipient_id, range_agg(int8range(id, id, '[]')) as points,
        coalesce(range_agg(int8range(id, id, '[]')) filter (where is_earlier), '{}') as marked
      from unnest(${messages.map(({ recipientId }) => recipientId)}::bigint[], ${messages.map(({ id }) => id)}::bigint[],
        ${messages.map(({ isEarlier }) => isEarlier)}::boolean[]) as message (recipient_id, id, is_earlier)
      group by recipient_id
    )
    insert into read_states (organization_id, user_id, recipient_id, ranges, marked_unread)
    select ${organizationId}, ${userId}, recipient_id, '{}', marked from change order by recipient_id
    on conflict (organization_id, user_id, recipient_id) do update
    set ranges = read_states.ranges
        - (select points from change where change.recipient_id = excluded.recipient_id),
      marked_unread = read_states.marked_unread + excluded.marked_unread`);
}

/** Readers of messages that moved out of a channel. */
export interface MovedFrom {
  ids: readonly MessageId[];
  from: ChannelId;
  userIds: readonly UserId[];
}

/**
 * For the head of a statement. `reader`: what each of these people had not read of the messages in their old
 * channel, messages that were marked unread by hand among them. `moved`: all of the messages. Both are sets
 * of ranges.
 */
function readersBefore(organizationId: OrganizationId, { ids, from, userIds }: MovedFrom): Sql {
  return sql`
    with moved as (
      select range_agg(int8range(id, id, '[]')) as ids from unnest(${ids}::bigint[]) as id
    ), came_read as (
      select user_id, range_agg(int8range(id, id, '[]')) as ids from (
        select sender_id as user_id, id from messages
        where organization_id = ${organizationId} and id = any(${ids}::bigint[])
          and facts & ${readOnArrival.factBit}::int <> 0
        union all
        select user_id, message_id from message_flags
        where organization_id = ${organizationId} and message_id = any(${ids}::bigint[])
          and flags & ${readOnArrival.flagBit}::int <> 0
        union all
        select person.user_id, m.id from messages m cross join unnest(${userIds}::bigint[]) as person (user_id)
        where m.organization_id = ${organizationId} and m.id = any(${ids}::bigint[])
          and ${isReadNotice(organizationId, sql`m`, sql`person.user_id`)}
      ) came
      group by user_id
    ), reader as (
      select person.user_id, case when person.began_at is null then '{}' else
        moved.ids * (
          (int8multirange(int8range(person.began_at, null, '()')) - coalesce(r.ranges, '{}'))
            + coalesce(r.marked_unread, '{}') - coalesce(came_read.ids, '{}')
        ) end as unread
      from (
        select person.user_id, ${beganAt} as began_at from unnest(${userIds}::bigint[]) as person (user_id)
        left join subscriptions s on s.organization_id = ${organizationId} and s.channel_id = ${from}
          and s.user_id = person.user_id and s.to_position_ref is null
        offset 0
      ) person
      cross join moved
      left join read_states r on r.organization_id = ${organizationId} and r.user_id = person.user_id
        and r.recipient_id = ${from}
      left join came_read on came_read.user_id = person.user_id
    )`;
}

/**
 * Updates read states after a move to another channel. Messages that a person had not read in the old channel
 * stay unread, and all other moved messages are read. Where history is not shared, only messages that the
 * person received in the new channel stay unread: the others are out of reach there. It works on sets of
 * ranges, so it costs one row for each subscriber of the new channel, however many messages moved.
 */
export async function upsertMoved(
  tx: Queryable,
  organizationId: OrganizationId,
  to: { id: ChannelId; isHistoryShared: boolean },
  subscribers: MovedFrom,
): Promise<void> {
  const received = sql`(
    select coalesce(range_agg(int8range(interval.began_at, interval.ended_at, '()')), '{}') from (
      select ${beganAt} as began_at, ${endedAt} as ended_at from subscriptions s
      where s.organization_id = ${organizationId} and s.user_id = reader.user_id and s.channel_id = ${to.id}
    ) interval where interval.began_at is not null)`;
  const unread = to.isHistoryShared ? sql`reader.unread` : sql`reader.unread * ${received}`;
  await tx.query(sql`
    ${readersBefore(organizationId, subscribers)}
    insert into read_states (organization_id, user_id, recipient_id, ranges, marked_unread)
    select ${organizationId}, reader.user_id, ${to.id}, moved.ids - stays.unread, stays.unread
    from reader cross join moved cross join lateral (select ${unread} as unread offset 0) stays
    -- Two moves at once take the rows' locks in one order.
    order by reader.user_id
    on conflict (organization_id, user_id, recipient_id) do update
    set ranges = (read_states.ranges + excluded.ranges) - excluded.marked_unread,
      marked_unread = (read_states.marked_unread + excluded.marked_unread) - excluded.ranges`);
}

/**
 * The messages that these people had not read before a move. People who had read all of them are left
 * out.
 */
export async function listUnreadBefore(
  tx: Queryable,
  organizationId: OrganizationId,
  readers: MovedFrom,
): Promise<{ userId: UserId; ids: MessageId[] }[]> {
  return tx.query(sql`
    ${readersBefore(organizationId, readers)}
    select reader.user_id as "userId",
      array(select id from unnest(${readers.ids}::bigint[]) as id where reader.unread @> id order by id) as ids
    from reader where not isempty(reader.unread)`);
}

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
    with leaver as materialized (
      select s.user_id, int8multirange(int8range(${first}, null)) * (
        int8multirange(int8range(s.began_at, null, '()')) - coalesce(r.ranges, '{}')
          + coalesce(r.marked_unread, '{}')) as unread
      from (
        select s.user_id, ${beganAt} as began_at from subscriptions s
        where s.organization_id = ${organizationId} and s.channel_id = ${channelId}
          and s.user_id = any(${userIds}::bigint[]) and s.to_position_ref = ${positionRef}
        offset 0
      ) s
      left join read_states r on r.organization_id = ${organizationId} and r.user_id = s.user_id
        and r.recipient_id = ${channelId}
      where s.began_at is not null
    ), newest as materialized (
      select found.* from (select unnest(range_agg(unread)) as range from leaver) gap cross join lateral (
        select m.id, case when m.facts & ${readOnArrival.factBit}::int <> 0 then m.sender_id end as reader_id, m.facts
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
      select leaver.user_id, array(
        select newest.id from newest
        where leaver.unread @> newest.id and newest.reader_id is distinct from leaver.user_id
          and (leaver.user_id, newest.id) not in (select user_id, message_id from came_read)
          and not ${isReadNotice(organizationId, sql`newest`, sql`leaver.user_id`)}
        order by newest.id
      ) as ids
      from leaver
    ) each
    where ids <> '{}' group by ids`);
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
    with closing as materialized (
      select r.user_id, r.marked_unread - coalesce((
        select range_agg(int8range(i.began_at, i.ended_at, '()')) from (
          select ${beganAt} as began_at, ${endedAt} as ended_at from subscriptions s
          where s.organization_id = ${organizationId} and s.channel_id = ${channelId} and s.user_id = r.user_id
          offset 0
        ) i where i.began_at is not null), '{}') as closed
      from read_states r
      where r.organization_id = ${organizationId} and r.recipient_id = ${channelId}
        and r.user_id = any(${userIds}::bigint[]) and not isempty(r.marked_unread)
    ), changed as (
      update read_states r set marked_unread = r.marked_unread - closing.closed from closing
      where r.organization_id = ${organizationId} and r.recipient_id = ${channelId} and r.user_id = closing.user_id
        and not isempty(closing.closed)
    )
    select array_agg(user_id order by user_id) as "userIds", ids as "messageIds" from (
      select closing.user_id, array(
        select newest.id from (
          select m.id from unnest(closing.closed) as gap join messages m
            on m.organization_id = ${organizationId} and m.recipient_id = ${channelId}
            and m.id >= lower(gap) and m.id < coalesce(upper(gap), ${Number.MAX_SAFE_INTEGER}::bigint)
          order by m.id desc limit ${limit}
        ) newest order by newest.id
      ) as ids
      from closing
    ) each
    where ids <> '{}' group by ids`);
}

/**
 * Which of these people have read a message, without those who have muted the asker or whom the asker has
 * muted. A message that moved counts as read for people who were not subscribed where it came from. So they
 * must have read it in each former channel, or have been subscribed there since it was sent. In the second
 * case it moved without a change of its read state.
 */
export async function listReaders(
  tx: Queryable,
  organizationId: OrganizationId,
  message: { id: MessageId; recipientId: RecipientId },
  among: readonly UserId[],
  askerId: UserId,
): Promise<UserId[]> {
  const rows = await tx.query<{ id: UserId }>(sql`
    select person.id from unnest(${among}::bigint[]) as person (id)
    join read_states r on r.organization_id = ${organizationId} and r.user_id = person.id
      and r.recipient_id = ${message.recipientId}
    where r.ranges @> ${message.id}::bigint and not r.marked_unread @> ${message.id}::bigint
      and not exists (select from muted_users m where m.organization_id = ${organizationId} and m.ended_at is null
        and (m.user_id, m.muted_user_id) in ((person.id, ${askerId}), (${askerId}, person.id)))
      and not exists (
        select from message_edits e
        where e.organization_id = ${organizationId} and e.message_id = ${message.id} and e.previous_channel_id is not null
          and not exists (select from read_states was where was.organization_id = ${organizationId}
            and was.user_id = person.id and was.recipient_id = e.previous_channel_id
            and was.ranges @> ${message.id}::bigint)
          and not exists (select from subscriptions s
            where s.organization_id = ${organizationId} and s.channel_id = e.previous_channel_id
              and s.user_id = person.id and s.to_position_ref is null and ${beganAt} < ${message.id}))
    order by person.id`);
  return rows.map(({ id }) => id);
}
