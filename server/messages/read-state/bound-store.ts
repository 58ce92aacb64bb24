/**
 * One row of a person's read state is bounded. A client that marks messages at random would otherwise make a
 * row of megabytes, and each later mark would write all of it. The oldest gaps of such a row count as read.
 */
import type { MessageId, OrganizationId, RecipientId, TopicId, UserId } from "../../../api/ids.ts";
import { beganAt } from "../../channels/subscriptions/interval-bounds.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { type Sql, sql } from "../../platform/db/sql.ts";
import { isReadNotice } from "./read-notices.ts";
import { readOnArrival } from "./read-state.ts";
import { isInRanges, isMarkedUnread, readState, topicReadState } from "./topic-read-states.ts";

/** The most ranges and gaps of one row: 8 kB. */
export const MAX_PIECES = 500;
/** How many stay of a row that has more, so that it does not have too many again after each mark. */
const KEPT_PIECES = 400;
/** How many messages of one row are announced as read, the newest. */
const MAX_ANNOUNCED = 50_000;

/** How many ranges a set has. */
export function pieces(ranges: Sql): Sql {
  return sql`(select count(*) from unnest(${ranges}))`;
}

/** A row that has more than `MAX_PIECES`. */
export interface Oversized {
  recipientId: RecipientId;
  /** null: a conversation's. */
  topicId: TopicId | null;
}

/**
 * Everything up to the newest pieces of a person's row becomes read. Returns the messages that were not,
 * ascending. The caller has written the row in this transaction.
 */
export async function fillOldest(
  tx: Queryable,
  organizationId: OrganizationId,
  userId: UserId,
  { recipientId, topicId }: Oversized,
): Promise<MessageId[]> {
  const me = sql`${userId}::bigint`;
  const rows =
    topicId === null
      ? sql`read_states where organization_id = ${organizationId} and user_id = ${me} and recipient_id = ${recipientId}`
      : sql`topic_read_states where organization_id = ${organizationId} and user_id = ${me}
          and channel_id = ${recipientId} and topic_id = ${topicId}`;
  const all =
    topicId === null
      ? sql`select unnest(state.ranges) as piece`
      : sql`select unnest(state.ranges) as piece union all select unnest(state.gaps)`;
  const place = topicId === null ? sql`m.recipient_id = ${recipientId}` : sql`m.topic_id = ${topicId}`;
  const ofTopic = { channelId: sql`${recipientId}::bigint`, topicId: sql`${topicId}::bigint` };
  const found = await tx.query<{ first: number; end: number; ids: MessageId[] }>(sql`
    with piece as (
      select lower(each.piece) as first from (select * from ${rows}) state cross join lateral (${all}) each
    ), filled as materialized (
      select (select min(first) from piece) as first,
        (select first from piece order by first desc offset ${KEPT_PIECES} limit 1) as "end"
    )
    select filled.first, filled."end", array(
      select id from (
        select m.id from messages m
        left join lateral ${readState(organizationId, me, sql`m.recipient_id`)} r on true
        left join lateral ${topicReadState(organizationId, me, ofTopic)} t on true
        where m.organization_id = ${organizationId} and ${place} and m.id >= filled.first and m.id < filled."end"
          and not (m.sender_id = ${me} and m.facts & ${readOnArrival.factBit}::int <> 0)
          and not ${isReadNotice(organizationId, sql`m`, me)}
          and not exists (select from message_flags f where f.organization_id = ${organizationId}
            and f.user_id = ${me} and f.message_id = m.id and f.flags & ${readOnArrival.flagBit}::int <> 0)
          and (${isMarkedUnread(sql`m.id`)} or not ${isInRanges(sql`m.id`)} and (m.topic_id is null or m.id > (
            select ${beganAt} from subscriptions s where s.organization_id = ${organizationId}
              and s.channel_id = m.recipient_id and s.user_id = ${me} and s.to_position_ref is null)))
        order by m.id desc limit ${MAX_ANNOUNCED}
      ) newest order by id
    ) as ids
    from filled where filled."end" is not null`);
  const [filling] = found;
  if (!filling) return [];
  const filled = sql`int8multirange(int8range(${filling.first}, ${filling.end}))`;
  await tx.query(
    topicId === null
      ? sql`update read_states set ranges = ranges + ${filled}, marked_unread = marked_unread - ${filled}
          where organization_id = ${organizationId} and user_id = ${me} and recipient_id = ${recipientId}`
      : sql`update topic_read_states set ranges = ranges + ${filled}, gaps = gaps - ${filled},
            marked_unread = marked_unread - ${filled}
          where organization_id = ${organizationId} and user_id = ${me} and channel_id = ${recipientId}
            and topic_id = ${topicId}`,
  );
  return filling.ids;
}
