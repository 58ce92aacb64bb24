import type { ChannelId, MessageId, OrganizationId, UserId } from "../../../api/ids.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { sql } from "../../platform/db/sql.ts";
import { messageFacts, personalFlags } from "../messages/model/message.ts";
import { MAX_UNREAD } from "./unread.ts";

/** How many messages all are told of together, if each has others unread. */
const MAX_TOLD = 200_000;
/** So many people have more gaps between what they have read than can be put together quickly. */
const MANY_PEOPLE = 100;

/**
 * What people who leave a channel have not read of it, those who have the same unread together. If it is too much, only the
 * newest: when many leave at once, of the newest messages of the channel. `mark`: the end of their subscriptions.
 */
export async function listLeftUnread(
  tx: Queryable,
  organizationId: OrganizationId,
  left: { channelId: ChannelId; userIds: readonly UserId[]; positionRef: number },
): Promise<{ userIds: UserId[]; messageIds: MessageId[] }[]> {
  const { channelId, userIds, positionRef } = left;
  const limit = Math.min(MAX_UNREAD, Math.ceil(MAX_TOLD / userIds.length));
  const first =
    userIds.length < MANY_PEOPLE
      ? sql`0`
      : sql`(select min(id) from (select id from messages
          where organization_id = ${organizationId} and recipient_id = ${channelId} order by id desc limit ${limit}) m)`;
  return tx.query(sql`
    with leaver as materialized (
      select s.user_id, int8multirange(int8range(${first}, null)) * (
        int8multirange(int8range(began.position, null, '()')) - coalesce(r.ranges, '{}')
          + coalesce(r.marked_unread, '{}')) as unread
      from subscriptions s
      join log_positions began on began.organization_id = s.organization_id and began.id = s.from_position_ref
      left join read_states r on r.organization_id = s.organization_id and r.user_id = s.user_id
        and r.recipient_id = s.channel_id
      where s.organization_id = ${organizationId} and s.channel_id = ${channelId}
        and s.user_id = any(${userIds}::bigint[]) and s.to_position_ref = ${positionRef}
    ), newest as materialized (
      select found.* from (select unnest(range_agg(unread)) as range from leaver) gap cross join lateral (
        select m.id, case when m.facts & ${messageFacts.readBySender}::int <> 0 then m.sender_id end as reader_id from messages m
        where m.organization_id = ${organizationId} and m.recipient_id = ${channelId}
          and m.id >= lower(gap.range) and m.id < coalesce(upper(gap.range), ${Number.MAX_SAFE_INTEGER}::bigint)
        order by m.id desc limit ${limit}
      ) found
      order by found.id desc limit ${limit}
    ), came_read as materialized (
      select f.user_id, f.message_id from message_flags f
      where f.organization_id = ${organizationId} and f.message_id in (select id from newest)
        and f.flags & ${personalFlags.readOnArrival}::int <> 0
    )
    select array_agg(user_id order by user_id) as "userIds", ids as "messageIds" from (
      select leaver.user_id, array(
        select newest.id from newest
        where leaver.unread @> newest.id and newest.reader_id is distinct from leaver.user_id
          and (leaver.user_id, newest.id) not in (select user_id, message_id from came_read)
        order by newest.id
      ) as ids
      from leaver
    ) each
    where ids <> '{}' group by ids`);
}
