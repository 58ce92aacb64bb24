/**
 * The unread messages of a snapshot, found from the gaps in the read states. Where many are unread, they come
 * from the index of topics alone, a topic after the other, so no row of a message is read. A window of the
 * log bounds the work.
 */
import type { MessageId, RecipientId, TopicId, UserId } from "../../../api/ids.ts";
import { mutedUsers } from "../../attention/muted-users/muted-users.ts";
import type { User } from "../../people/user.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { prepare, type Sql, sql } from "../../platform/db/sql.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { messageFacts, PERSONAL_MENTIONS, personalFlags } from "../model/message.ts";
import { isMentionedByGroup } from "../query/mentioned-by-group.ts";
import { type ReadableRange, type ReadableScope, unreadRangesOf } from "../query/readable/readable-ranges.ts";
import { rangeTable, wasReceived } from "../query/scan.ts";
import { gapRanges, unreadRanges } from "../query/scan-unread.ts";
import { isMuted } from "./busiest-store.ts";
import { readOnArrival } from "./read-state.ts";
import { readState, topicReadState, topicsWithGaps } from "./topic-read-states.ts";

/** Only the newest are listed: a person with more unread messages will hardly miss the rest. */
export const MAX_UNREAD = 50_000;

/** Tests lower these. */
export const limits = {
  /** How many are listed. */
  listed: MAX_UNREAD,
  /** How many positions of the log are looked at first. No more messages than these are there. */
  window: 1_000_000,
  /**
   * With up to so many unread messages, the rows of a channel's messages are read: it may have more topics.
   */
  few: 500,
};

/**
 * How many times as many positions are looked at next, if too few are unread there and there are older ones.
 */
const WIDER = 4;

/** With more gaps, a channel is not looked at by topic: each topic would be looked at for each gap. */
const MANY_GAPS = 50;

/** The unread messages of one topic or direct-message conversation. */
export interface UnreadConversation {
  recipientId: RecipientId;
  topicId: TopicId | null;
  topic: string | null;
  /** The people of a direct message; null for a channel's. */
  userIds: UserId[] | null;
  isMuted: boolean;
  count: number;
  /** The ids, ascending, with commas between. There may be tens of thousands, which are only passed on. */
  messageIds: string;
  /** The unread messages that mention the user. In a muted channel or topic, only mentions by name count. */
  mentionIds: MessageId[] | null;
}

/**
 * A user's newest unread messages by conversation, of everything that they can read. Reads memory before
 * its first await.
 */
export async function listUnread(
  state: OrganizationState,
  tx: Queryable,
  user: User,
  everything: Promise<ReadableScope>,
): Promise<UnreadConversation[]> {
  const list = unreadStatement(state, user);
  const { position } = state;
  const ranges = unreadRangesOf(await everything);
  if (ranges.length === 0) return [];
  type Row = UnreadConversation & { oldestId: number | null };
  for (let width = limits.window; ; width *= WIDER) {
    const after = Math.max(0, position - width);
    const rows = await tx.query<Row>(list(ranges, after));
    const oldestId = rows[0]?.oldestId ?? null;
    const unread = rows.filter(({ recipientId }) => recipientId !== null);
    const total = unread.reduce((sum, { count }) => sum + count, 0);
    if (total >= limits.listed || oldestId === null || oldestId > after) return unread;
  }
}

/**
 * The statement for messages after a position. `oldestId`, of each row: before it, nothing is unread. There
 * is one row without a conversation if nothing is unread after the position.
 */
function unreadStatement(
  state: OrganizationState,
  user: User,
): (ranges: readonly ReadableRange[], after: number) => Sql {
  const { organizationId } = state;
  const me = sql`${user.id}::bigint`;
  const isByGroup = isMentionedByGroup({ state, user }, sql`m`);
  const isReceived = wasReceived({ state, user });
  const hasMuted = state.get(mutedUsers).hasEverMuted(user.id);
  // Each is a set of ids that is made once, so a scan of an index needs no row. The rest of `cameUnread`.
  const cameUnread = sql`(
    m.id not in (select id from notice) and (not ${hasMuted} or m.id not in (select id from came_read))
    and (m.id not in (select id from own) or not exists (
      select from messages mine where mine.organization_id = ${organizationId} and mine.id = m.id
        and mine.facts & ${readOnArrival.factBit}::int <> 0)))`;
  const inPiece = sql`m.id >= lower(gap.piece) and m.id < coalesce(upper(gap.piece), ${Number.MAX_SAFE_INTEGER}::bigint)`;
  const oldestIn = (gaps: Sql, place: Sql, limit: number) => sql`
    select count(*) as count, min(id) as first from (
      select m.id from (select piece from unnest(${gaps}) as piece order by piece) gap cross join lateral (
        select m.id from messages m
        where m.organization_id = ${organizationId} and ${place} and ${inPiece}
        order by m.id limit ${limit}
      ) m limit ${limit}
    ) m`;
  return (ranges, after) => {
    const inWindow = (gaps: Sql) => sql`(${gaps} * int8multirange(int8range(${after}, null, '()')))`;
    return prepare(sql`
      with ${rangeTable({ ranges })}, place as materialized (
        select range.*, pieces.gaps, oldest.first, oldest.count > ${limits.few}
          -- A conversation has no topics.
          and exists (
            select from topics where organization_id = ${organizationId} and channel_id = range.recipient_id)
          and (select count(*) from unnest(${inWindow(sql`pieces.gaps`)})) <= ${MANY_GAPS} as is_by_topic
        from range
        -- One look-up a range, whatever the statistics say: as a join, it may compare all ranges with all
        -- read states.
        left join lateral ${readState(organizationId, me, sql`range.recipient_id`)} r on true
        cross join lateral (select ${unreadRanges} as gaps offset 0) pieces
        cross join lateral (
          ${oldestIn(sql`pieces.gaps`, sql`m.recipient_id = range.recipient_id`, limits.few + 1)}
        ) oldest
      ), gap_topic as materialized (
        select range.recipient_id, range.is_by_topic, t.topic_id, pieces.gaps, oldest.first
        from place range
        cross join lateral ${topicsWithGaps(organizationId, me, sql`range.recipient_id`)} t
        cross join lateral (select ${gapRanges} as gaps offset 0) pieces
        cross join lateral (${oldestIn(sql`pieces.gaps`, sql`m.topic_id = t.topic_id`, 1)}) oldest
      ), oldest as materialized (
        select min(first) as id from (select first from place union all select first from gap_topic) each
      ), own as materialized (
        select m.id from messages m
        where m.organization_id = ${organizationId} and m.sender_id = ${me}
          and m.id >= (select greatest(oldest.id, ${after}::bigint) from oldest)
      ), notice as materialized (
        select m.id from messages m
        where m.organization_id = ${organizationId} and m.facts & 256 <> 0
          and m.id >= (select greatest(oldest.id, ${after}::bigint) from oldest)
          and not exists (select from message_flags exception
            where exception.organization_id = ${organizationId} and exception.user_id = ${me}
              and exception.message_id = m.id and exception.flags & ${readOnArrival.exceptionBit}::int <> 0)
      ), came_read as materialized (
        select f.message_id as id from message_flags f
        where ${hasMuted} and f.organization_id = ${organizationId} and f.user_id = ${me}
          and f.message_id >= (select greatest(oldest.id, ${after}::bigint) from oldest)
          and f.flags & ${readOnArrival.flagBit}::int <> 0
      ), by_topic as materialized (
        select range.recipient_id, topic.id as topic_id, array(
          select m.id from (select piece from unnest(${inWindow(sql`pieces.gaps`)}) as piece order by piece) gap
          cross join lateral (
            select m.id from messages m
            where m.organization_id = ${organizationId} and m.topic_id = topic.id and ${inPiece} and ${cameUnread}
            order by m.id offset 0
          ) m
        ) as ids
        from place range
        cross join lateral (
          select id from topics where organization_id = ${organizationId} and channel_id = range.recipient_id offset 0
        ) topic
        left join lateral ${topicReadState(organizationId, me, {
          channelId: sql`range.recipient_id`,
          topicId: sql`topic.id`,
        })} t on true
        cross join lateral (
          select (range.gaps - coalesce(t.ranges, '{}')) + coalesce(${gapRanges}, '{}') as gaps offset 0
        ) pieces
        where range.is_by_topic
      ), by_row as materialized (
        select recipient_id, topic_id, array_agg(id order by id) as ids from (
          select m.recipient_id, m.topic_id, m.id from place range
          cross join lateral (select unnest(${inWindow(sql`range.gaps`)}) as piece) gap
          cross join lateral (
            select m.id, m.recipient_id, m.topic_id from messages m
            where m.organization_id = ${organizationId} and m.recipient_id = range.recipient_id and ${inPiece}
              and ${cameUnread}
              and not exists (
                select from ${topicReadState(organizationId, me, {
                  channelId: sql`m.recipient_id`,
                  topicId: sql`m.topic_id`,
                })} t where t.ranges @> m.id or t.gaps @> m.id)
            offset 0
          ) m
          where not range.is_by_topic and range.first is not null
          union all
          select t.recipient_id, t.topic_id, m.id from gap_topic t
          cross join lateral (select unnest(${inWindow(sql`t.gaps`)}) as piece) gap
          cross join lateral (
            select m.id from messages m
            where m.organization_id = ${organizationId} and m.topic_id = t.topic_id and ${inPiece} and ${cameUnread}
            offset 0
          ) m
          where not t.is_by_topic
        ) each
        group by recipient_id, topic_id
      ), found as materialized (
        select * from by_topic where ids <> '{}'
        union all
        select * from by_row
      ), cut as materialized (
        select case when (select sum(cardinality(ids)) from found) > ${limits.listed} then (
          select id from (select unnest(ids) as id from found) each order by id desc offset ${limits.listed - 1} limit 1
        ) end as id
      ), u as materialized (
        select recipient_id, topic_id, case when cut.id is null then ids
          else array(select id from unnest(ids) as id where id >= cut.id order by id) end as ids
        from found cross join cut
      ), mentioning as materialized (
        select m.id, m.recipient_id, m.topic_id, f.flags & ${personalFlags.mentioned}::int <> 0 as is_by_name
        from message_flags f
        cross join lateral (
          select id, recipient_id, topic_id from messages
          where organization_id = ${organizationId} and id = f.message_id offset 0
        ) m
        where f.organization_id = ${organizationId} and f.user_id = ${me} and f.flags & ${PERSONAL_MENTIONS}::int <> 0
          and f.message_id >= (select greatest(oldest.id, ${after}::bigint) from oldest)
        union all
        select m.id, m.recipient_id, m.topic_id, false from messages m
        where m.organization_id = ${organizationId} and (m.facts & 3 <> 0 or m.mentioned_group_ids is not null)
          and m.id >= (select greatest(oldest.id, ${after}::bigint) from oldest)
          and (m.facts & ${messageFacts.mentionsChannel}::int <> 0 or ${isByGroup})
          and (${isReceived} or exists (
            select from range where range.recipient_id = m.recipient_id and m.id > range.unread_after))
      ), mention as materialized (
        select recipient_id, coalesce(topic_id, 0) as topic_id, array_agg(distinct id order by id) as ids,
          array_agg(distinct id order by id) filter (where is_by_name) as ids_by_name
        from mentioning where id in (select unnest(ids) from u)
        group by recipient_id, coalesce(topic_id, 0)
      )
      select oldest.id as "oldestId", u.recipient_id as "recipientId", u.topic_id as "topicId", t.name as topic,
        c.user_ids as "userIds", ${isMuted} as "isMuted", cardinality(u.ids) as count,
        array_to_string(u.ids, ',') as "messageIds",
        case when ${isMuted} then mention.ids_by_name else mention.ids end as "mentionIds"
      from oldest left join u on u.ids <> '{}'
      left join mention on mention.recipient_id = u.recipient_id and mention.topic_id = coalesce(u.topic_id, 0)
      -- Looked up by key, whatever the statistics say: as joins, these may compare all with all.
      left join lateral (
        select name from topics where organization_id = ${organizationId} and id = u.topic_id offset 0
      ) t on true
      left join lateral (
        select user_ids from conversations where organization_id = ${organizationId} and id = u.recipient_id offset 0
      ) c on u.topic_id is null
      left join lateral (
        select is_muted from subscription_preferences
        where organization_id = ${organizationId} and user_id = ${me} and channel_id = u.recipient_id offset 0
      ) p on true
      left join lateral (
        select policy from topic_policies
        where organization_id = ${organizationId} and user_id = ${me} and topic_id = u.topic_id offset 0
      ) w on true
      order by u.recipient_id, t.name`);
  };
}
