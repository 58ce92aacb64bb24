import type { ChannelId, MessageId, OrganizationId, RecipientId, UserId } from "../../../api/ids.ts";
import { includes } from "../../channels/subscriptions/interval-bounds.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { PersonalRows } from "../../platform/db/personal-rows.ts";
import { prepare, type Sql, sql } from "../../platform/db/sql.ts";
import type { FoundRow } from "../../platform/log/grouped-change.ts";
import type { FoundMessage } from "../access.ts";
import { askedColumns, askedJoins } from "../query/fetch.ts";
import type { OwnStars } from "../read-state/events.ts";

/** The condition of the index of stars, word for word. */
const isStarred = sql`f.flags & 1 <> 0`;

/** All messages that a person has starred, ascending, including messages that they can't read now. */
export const ownStarred = new PersonalRows<{ id: MessageId; recipientId: RecipientId; isDirect: boolean }>(
  (organizationId, userId) => sql`
    select m.id, m.recipient_id as "recipientId", m.topic_id is null as "isDirect"
    from message_flags f
    -- One look-up a star, whatever the statistics say: as a join, it may read all messages.
    cross join lateral (
      select * from messages where organization_id = f.organization_id and id = f.message_id offset 0
    ) m
    where f.organization_id = ${organizationId} and f.user_id = ${userId} and ${isStarred}
    order by m.id`,
);

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

/** A message on which a person wants to change a flag. */
export interface AskedFlag {
  /** The place of the request in its group. */
  number: number;
  userId: UserId;
  messageId: number;
}

export type FoundFlags = FoundMessage &
  FoundRow & {
    flags: number;
    /** Whether somebody else is changing the flags. */
    areHeld: boolean;
  };

/**
 * The messages with the flags that these people have on them, in the order of the people and the ids.
 * LOCK: the rows of flags that are there, in that order. Without `waits`, those that others hold are left
 * out.
 */
export function findFlags(organizationId: OrganizationId, asked: readonly AskedFlag[], waits: boolean): Sql {
  const flags = sql`
    select flags from message_flags
    where organization_id = ${organizationId} and user_id = asked.user_id and message_id = asked.id`;
  const areHeld = waits ? sql`false` : sql`known.flags is not null and locked.flags is null`;
  return prepare(sql`
    with asked as materialized (
      select * from unnest(${asked.map(({ number }) => number)}::int[], ${asked.map(({ userId }) => userId)}::bigint[],
        ${asked.map(({ messageId }) => messageId)}::bigint[]) as asked (number, user_id, id)
      order by user_id, id
    )
    select asked.number, ${askedColumns}, coalesce(locked.flags, 0) as flags, ${areHeld} as "areHeld"
    from asked ${askedJoins(organizationId)}
    left join lateral (${flags} offset 0) known on true
    left join lateral (${flags} for update ${waits ? sql`` : sql`skip locked`}) locked on true`);
}

/** One bit of a person's flags on a message. `isLast`: no other bit is set. */
export interface FlagWrite {
  userId: UserId;
  messageId: MessageId;
  bit: number;
  clears: boolean;
  isLast: boolean;
}

/**
 * Sets and clears flags, of rows that `findFlags` locked as far as they were there. A bit to clear is given
 * as a mask with all other bits, which is negative, so that one statement serves both.
 */
export function writeFlags(organizationId: OrganizationId, writes: readonly FlagWrite[]): Sql {
  const ended = writes.filter(({ clears, isLast }) => clears && isLast);
  const kept = writes.filter(({ clears, isLast }) => !(clears && isLast));
  return prepare(sql`
    with ended as (
      delete from message_flags where ctid = any(array(
        select row.ctid
        from unnest(${ended.map(({ userId }) => userId)}::bigint[],
          ${ended.map(({ messageId }) => messageId)}::bigint[], ${ended.map(({ bit }) => bit)}::int[])
          as ended (user_id, message_id, bit)
        cross join lateral (
          select ctid from message_flags
          where organization_id = ${organizationId} and user_id = ended.user_id
            and message_id = ended.message_id and flags = ended.bit
          offset 0
        ) row
      ))
    )
    insert into message_flags as row (organization_id, user_id, message_id, flags)
    select ${organizationId}, user_id, message_id, bits
    from unnest(${kept.map(({ userId }) => userId)}::bigint[], ${kept.map(({ messageId }) => messageId)}::bigint[],
      ${kept.map(({ bit, clears }) => (clears ? ~bit : bit))}::int[]) as kept (user_id, message_id, bits)
    order by user_id, message_id
    on conflict (organization_id, user_id, message_id) do update
    set flags = case when excluded.flags < 0 then row.flags & excluded.flags else row.flags | excluded.flags end`);
}
