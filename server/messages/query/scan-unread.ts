import type { OrganizationId, TopicId, UserId } from "../../../api/ids.ts";
import { type Sql, sql } from "../../platform/db/sql.ts";
import { readState, topicReadState } from "../read-state/topic-read-states.ts";
import { direction, type IdRange } from "./id-range.ts";
import { NO_LIMIT } from "./readable/readable-ranges.ts";

/** What a scan of unread messages needs of a `MessageQuery`. */
interface UnreadQuery {
  organizationId: OrganizationId;
  userId: UserId | undefined;
  topicId: TopicId | undefined;
  cameUnread: Sql;
}

/** Tests lower this. */
export const limits = {
  /** Where more messages are in the gaps of a channel, and some were read, they are looked for by topic. */
  many: 2000,
  /** Unless enough are unread among so many at the nearer end. */
  nearest: 200,
};
/** With more gaps, a channel is not looked at by topic: each topic would be looked at for each gap. */
const MANY_GAPS = 50;

/**
 * What is unread lies in the gaps of the read states of channels, where no row of a topic says that it was
 * read, and in the gaps of the rows of topics. `alsoTrue`: further conditions on a message `m`, after an
 * `and`.
 */
export function scanUnread(query: UnreadQuery, idRange: IdRange, alsoTrue: Sql): Sql {
  const { organizationId, userId, topicId } = query;
  const me = sql`${userId ?? null}::bigint`;
  const scan = new GapScan(query, idRange, alsoTrue);
  const ofTopic = topicId === undefined ? sql`true` : sql`t.topic_id = ${topicId}`;
  const inRows = topicId === undefined ? inChannels(query, scan, me) : inTopic(query, scan, me, topicId);
  return sql`
    select distinct found.id from (
      ${inRows}
      union all
      select found.id from range
      cross join lateral (
        select t.topic_id, t.gaps, t.marked_unread from topic_read_states t
        where t.organization_id = ${organizationId} and t.user_id = ${me} and t.channel_id = range.recipient_id
          and not isempty(t.gaps) and ${ofTopic}
        offset 0
      ) t
      cross join lateral (${scan.in(gapRanges, sql`m.topic_id = t.topic_id`)}) found
      where range.unread_after is not null
    ) found
    order by found.id ${direction(idRange)} limit ${idRange.limit}`;
}

/**
 * Scans the messages in a set of gaps. The gaps come in order, so the limit ends the scan and nothing is
 * sorted.
 */
class GapScan {
  readonly #query: UnreadQuery;
  readonly idRange: IdRange;
  readonly #alsoTrue: Sql;

  constructor(query: UnreadQuery, idRange: IdRange, alsoTrue: Sql) {
    this.#query = query;
    this.idRange = idRange;
    this.#alsoTrue = alsoTrue;
  }

  in(gaps: Sql, place: Sql, isUnread = sql`true`, limit = this.idRange.limit): Sql {
    const { organizationId, cameUnread } = this.#query;
    const order = direction(this.idRange);
    return sql`
      select m.id from (
        select piece from unnest(${this.inside(gaps)}) as piece order by piece ${order}
      ) gap cross join lateral (
        select m.id from messages m
        where m.organization_id = ${organizationId} and ${place} and m.id >= lower(gap.piece)
          and m.id < coalesce(upper(gap.piece), ${NO_LIMIT}::bigint) and ${cameUnread} and ${isUnread}
          ${this.#alsoTrue}
        order by m.id ${order} limit ${limit}
      ) m
      limit ${limit}`;
  }

  /** The part of the gaps that is scanned. */
  inside(gaps: Sql): Sql {
    return sql`(${gaps} * int8multirange(int8range(${this.idRange.after}, ${this.idRange.before}, '()')))`;
  }
}

function inTopic({ organizationId }: UnreadQuery, scan: GapScan, me: Sql, topicId: TopicId): Sql {
  const ofTopic = { channelId: sql`range.recipient_id`, topicId: sql`${topicId}::bigint` };
  return sql`
    select found.id from range
    left join lateral ${readState(organizationId, me, sql`range.recipient_id`)} r on true
    left join lateral ${topicReadState(organizationId, me, ofTopic)} t on true
    cross join lateral (
      ${scan.in(sql`(${unreadRanges} - coalesce(t.ranges, '{}'))`, sql`m.topic_id = ${topicId}`)}
    ) found
    where range.unread_after is not null`;
}

/**
 * In most channels, messages are read in order until enough are unread. Where topics were read above a floor
 * that stays behind, that could be any number. There each topic is asked for its nearest unread message, as
 * in `mergePlaces`.
 */
function inChannels({ organizationId }: UnreadQuery, scan: GapScan, me: Sql): Sql {
  const { order, limit } = scan.idRange;
  const ofMessage = { channelId: sql`m.recipient_id`, topicId: sql`m.topic_id` };
  const isNotRead = sql`not exists (
    select from ${topicReadState(organizationId, me, ofMessage)} t where t.ranges @> m.id)`;
  const ofTopic = { channelId: sql`range.recipient_id`, topicId: sql`topic.id` };
  const inside = sql`m.topic_id = topic.id`;
  const farthest = order === "desc" ? sql`min(topic.nearest)` : sql`max(topic.nearest)`;
  const isNotBeyond = order === "desc" ? sql`m.id >= topic.farthest` : sql`m.id <= topic.farthest`;
  const end = order === "desc" ? 0 : NO_LIMIT;
  return sql`
    select found.id from (
      with place as materialized (
        select range.*, pieces.gaps, exists (
            select from topic_read_states t where t.organization_id = ${organizationId} and t.user_id = ${me}
              and t.channel_id = range.recipient_id
          ) and (select count(*) from unnest(pieces.gaps)) <= ${MANY_GAPS} as has_topics
        from range
        -- One look-up a range, whatever the statistics say: as a join, it may compare all ranges with all
        -- read states.
        left join lateral ${readState(organizationId, me, sql`range.recipient_id`)} r on true
        cross join lateral (select ${scan.inside(unreadRanges)} as gaps offset 0) pieces
        where range.unread_after is not null
      ), counted as materialized (
        select place.*, place.has_topics and coalesce((
            select true from unnest(place.gaps) as piece cross join lateral (
              select m.id from messages m
              where m.organization_id = ${organizationId} and m.recipient_id = place.recipient_id
                and m.id >= lower(piece) and m.id < coalesce(upper(piece), ${NO_LIMIT}::bigint)
              limit ${limits.many + 1}
            ) m
            offset ${limits.many} limit 1), false)
          and not coalesce((
            select true from (
              select m.id, m.recipient_id, m.topic_id from (
                select piece from unnest(place.gaps) as piece order by piece ${direction(scan.idRange)}
              ) gap cross join lateral (
                select m.id, m.recipient_id, m.topic_id from messages m
                where m.organization_id = ${organizationId} and m.recipient_id = place.recipient_id
                  and m.id >= lower(gap.piece) and m.id < coalesce(upper(gap.piece), ${NO_LIMIT}::bigint)
                order by m.id ${direction(scan.idRange)} limit ${limits.nearest}
              ) m limit ${limits.nearest}
            ) m where ${isNotRead} offset ${limit - 1} limit 1), false) as is_by_topic
        from place
      )
      select found.id from counted range
      cross join lateral (${scan.in(sql`range.gaps`, sql`m.recipient_id = range.recipient_id`, isNotRead)}) found
      where not range.is_by_topic
      union all
      select found.id from (
        select topic.*, case when count(*) over () < ${limit} then ${end}::bigint else ${farthest} over () end as farthest
        from (
          select topic.id, pieces.gaps, probe.id as nearest from counted range
          cross join lateral (
            select id from topics where organization_id = ${organizationId} and channel_id = range.recipient_id offset 0
          ) topic
          left join lateral ${topicReadState(organizationId, me, ofTopic)} t on true
          cross join lateral (select range.gaps - coalesce(t.ranges, '{}') as gaps offset 0) pieces
          cross join lateral (${scan.in(sql`pieces.gaps`, inside, sql`true`, 1)}) probe
          where range.is_by_topic
          order by probe.id ${direction(scan.idRange)} limit ${limit}
        ) topic
      ) topic
      cross join lateral (${scan.in(sql`topic.gaps`, inside, isNotBeyond)}) found
    ) found`;
}

/**
 * Where unread messages can be by the row `r` of a channel or conversation in `range`, which may be missing.
 * These are the unread messages since the current subscription began, and those marked as unread by hand.
 * Rows of topics may say that some were read.
 */
export const unreadRanges: Sql = sql`(
  (int8multirange(int8range(range.unread_after, null, '()')) - coalesce(r.ranges, '{}'))
    + coalesce(r.marked_unread, '{}')
) * int8multirange(int8range(range.after, range.before, '()'))`;

/** The same for a row of `range` and the row `t` of a topic in it. */
export const gapRanges: Sql = sql`(
  t.gaps * int8multirange(int8range(range.unread_after, null, '()')) + t.marked_unread
) * int8multirange(int8range(range.after, range.before, '()'))`;
