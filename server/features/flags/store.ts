import type {
  ChannelId,
  MessageId,
  OrganizationId,
  Position,
  RecipientId,
  UserId,
} from "../../../api/ids.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { prepare, type Sql, sql } from "../../platform/db/sql.ts";
import { messageFacts, personalFlags } from "../messages/model/message.ts";

/** How many of one's own messages before a message that is read are taken along into the range. */
const MAX_OWN = 200;

/** All messages that a person has starred, ascending, whether they can read them now or not. */
export async function listStarred(
  tx: Queryable,
  organizationId: OrganizationId,
  userId: UserId,
): Promise<{ id: MessageId; recipientId: RecipientId; isDirect: boolean }[]> {
  return tx.query(sql`
    select m.id, m.recipient_id as "recipientId", m.topic_id is null as "isDirect"
    from message_flags f join messages m on m.organization_id = f.organization_id and m.id = f.message_id
    where f.organization_id = ${organizationId} and f.user_id = ${userId}
      and f.flags & ${personalFlags.starred}::int <> 0
    order by m.id`);
}

/**
 * Adds messages to what a person has read. Each takes along the ids before it that hold no message of its conversation, and
 * the person's own messages and those that were read when they came (`hasMuted`: whether there may be any), so that reading
 * everything is one range however many other conversations had messages in between.
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
        where not (earlier.sender_id = ${userId} and earlier.facts & ${messageFacts.readBySender}::int <> 0)
          and not (${hasMuted} and exists (
            select from message_flags f where f.organization_id = ${organizationId} and f.user_id = ${userId}
              and f.message_id = earlier.id and f.flags & ${personalFlags.readOnArrival}::int <> 0))
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
 * Marks everything that was said up to now as read, in the channels that a person is subscribed to and in all of their
 * conversations. Elsewhere nothing is unread. Returns how far "now" reaches in the log.
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

/** Forgets what people had marked unread in a channel. Nobody may be marking anything meanwhile. */
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

/** Adds ranges to what was read. `rows`: the organization, person, recipient and ranges of each, in the order of the locks. */
function upsertRead(rows: Sql): Sql {
  return sql`
    insert into read_states (organization_id, user_id, recipient_id, ranges)
    ${rows}
    on conflict (organization_id, user_id, recipient_id) do update
    set ranges = read_states.ranges + excluded.ranges,
      marked_unread = read_states.marked_unread - excluded.ranges`;
}

/**
 * Takes messages out of what a person has read. Those that would count as read anyway, since they came before the present
 * subscription, are kept as marked unread.
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

/** The messages must be kept from being deleted (`keepMessages`). */
export async function insertFlags(
  tx: Queryable,
  organizationId: OrganizationId,
  userId: UserId,
  ids: readonly MessageId[],
  bit: number,
): Promise<void> {
  await tx.query(sql`
    insert into message_flags (organization_id, user_id, message_id, flags)
    select ${organizationId}, ${userId}, id, ${bit} from unnest(${ids}::bigint[]) as id order by id
    on conflict (organization_id, user_id, message_id) do update set flags = message_flags.flags | excluded.flags`);
}

export async function deleteFlags(
  tx: Queryable,
  organizationId: OrganizationId,
  userId: UserId,
  ids: readonly MessageId[],
  bit: number,
): Promise<void> {
  const rows = sql`organization_id = ${organizationId} and user_id = ${userId} and message_id = any(${ids}::bigint[])`;
  // LOCK: the rows, in the order in which insertMarks takes them.
  await tx.query(sql`select from message_flags where ${rows} order by message_id for update`);
  await tx.query(sql`delete from message_flags where ${rows} and flags = ${bit}::int`);
  await tx.query(sql`update message_flags set flags = flags & ~${bit}::int where ${rows}`);
}
