/**
 * A scan is a statement that selects the ids of matching messages in order, from one end, up to a limit. It
 * takes the access path that finds a match soonest. A path can be an index over one conversation, one
 * person's flags, the gaps in a read state, or a merge of many conversations. On every path, a scan stays
 * inside the reader's ranges.
 */
import type { OrganizationId, TopicId, UserId } from "../../../api/ids.ts";
import { mutedUsers } from "../../attention/muted-users/muted-users.ts";
import { includes } from "../../channels/subscriptions/interval-bounds.ts";
import { joinSql, type Sql, sql } from "../../platform/db/sql.ts";
import { messageFacts, PERSONAL_MENTIONS, personalFlags } from "../model/message.ts";
import { isReadNotice } from "../read-state/read-notices.ts";
import type { SearchedWords } from "../search/direct.ts";
import { idRangeTerms } from "../search/filter-terms.ts";
import { formatIntervals, overlaps } from "../search/intervals.ts";
import type { IndexState } from "../search/missing.ts";
import { quote, type WordQuery } from "../search/query.ts";
import { direction, type IdRange } from "./id-range.ts";
import { NO_LIMIT, type ReadableRange, type Reader } from "./readable/readable-ranges.ts";
import { scanUnread } from "./scan-unread.ts";

export type AccessPath =
  /** Along the ranges themselves. */
  | { by: "ranges" }
  /** Only these messages. */
  | { by: "ids"; ids: readonly number[] }
  /** Along the messages on which a user has one of these flags. Without a user id, the reader. */
  | { by: "flags"; bits: number; userId?: UserId }
  /** Along the messages that mention the reader: by a personal flag, with everyone, or by a group. */
  | { by: "mentions" }
  /** Along the gaps in the reader's read states. */
  | { by: "unread" }
  /** Along these topics, which contain every match. */
  | { by: "topics"; topicIds: readonly TopicId[] }
  /**
   * Along the entries of the word index up to this position that match a query and have these filter terms.
   */
  | { by: "words"; query: WordQuery; filterTerms: readonly string[]; upTo: number }
  /** Along the messages that have reactions. */
  | { by: "reactions" }
  /** Along an index over all messages that fits the conditions. */
  | { by: "messages" };

export interface MessageQuery {
  organizationId: OrganizationId;
  userId: UserId | undefined;
  /** At least one. */
  ranges: readonly ReadableRange[];
  /** Set if every match is in this one topic. The conditions don't repeat it. */
  topicId: TopicId | undefined;
  /** See the function `cameUnread`. */
  cameUnread: Sql;
  /** SQL conditions over messages `m` and the table `range`. */
  conditions: readonly Sql[];
  /**
   * Set if words are searched for. The conditions don't repeat them: `prepareScan` adds them, since messages
   * that are not in the index must be read themselves.
   */
  words?: IndexState & { searched: readonly SearchedWords[] };
  path: AccessPath;
}

/** For the head of a statement that contains scans: `with ${rangeTable(query)}`. */
export function rangeTable({ ranges }: Pick<MessageQuery, "ranges">): Sql {
  return sql`range as materialized (
    select * from unnest(
      ${ranges.map((range) => range.recipientId)}::bigint[], ${ranges.map((range) => range.after)}::bigint[],
      ${ranges.map((range) => range.before)}::bigint[], ${ranges.map((range) => range.unreadAfter)}::bigint[]
    ) as range (recipient_id, after, before, unread_after))`;
}

/**
 * Whether a query asks only where messages are, or which ones are unread. The scans of such queries differ
 * only in their values.
 */
export function isPlain({ path, conditions, words }: MessageQuery): boolean {
  return conditions.length === 0 && !words && (path.by === "ranges" || path.by === "unread");
}

export function scan(query: MessageQuery, idRange: IdRange): Sql {
  const { path } = query;
  switch (path.by) {
    case "ids":
      return scanMessages(query, idRange, sql`m.id = any(${path.ids}::bigint[]) and ${isInRange}`);
    case "flags":
      return scanFlagged(query, idRange, path);
    case "mentions": {
      const byFlag = scanFlagged(query, idRange, { bits: PERSONAL_MENTIONS });
      const withMany = scanMessages(query, idRange, sql`${mentionsMany} and ${isInRange}`);
      return sql`select id from ((${byFlag}) union (${withMany})) mention order by id ${direction(idRange)} limit ${idRange.limit}`;
    }
    case "unread":
      return scanUnread(query, idRange, alsoTrue(query));
    case "topics":
      return scanTopics(query, idRange, path.topicIds);
    case "words":
      return scanWords(query, idRange, path);
    case "reactions":
      return scanReactions(query, idRange);
    case "messages":
      return scanMessages(query, idRange, isInRange);
    case "ranges":
      return scanRanges(query, idRange);
  }
}

/** Exactly the predicate of the index messages_to_many. */
const mentionsMany = sql`(m.facts & 3 <> 0 or m.mentioned_group_ids is not null)`;

export const isInRange = sql`exists (
  select from range where range.recipient_id = m.recipient_id and m.id > range.after and m.id < range.before)`;

/**
 * The same for messages in the places of the ranges. Most ranges have no other bounds, so nothing is
 * compared.
 */
function isWithinBounds({ ranges }: MessageQuery): Sql {
  const isUnbounded = ranges.every(({ after, before }) => after <= 0 && before >= NO_LIMIT);
  return isUnbounded ? sql`true` : isInRange;
}

function scanRanges(query: MessageQuery, idRange: IdRange): Sql {
  const { ranges, topicId } = query;
  const [first] = ranges as [ReadableRange];
  if (ranges.length === 1) {
    const inside = {
      ...idRange,
      after: Math.max(idRange.after, first.after),
      before: Math.min(idRange.before, first.before),
    };
    const place =
      topicId === undefined ? sql`m.recipient_id = ${first.recipientId}` : sql`m.topic_id = ${topicId}`;
    return scanMessages(query, inside, place);
  }
  if (ranges.every((range) => range.recipientId === first.recipientId)) return scanEachRange(query, idRange);
  return merge(query, idRange);
}

/** Scans each range by itself: for the few ranges of one channel to which a user subscribed several times. */
function scanEachRange(query: MessageQuery, idRange: IdRange): Sql {
  const { organizationId, topicId } = query;
  const place =
    topicId === undefined ? sql`m.recipient_id = range.recipient_id` : sql`m.topic_id = ${topicId}`;
  return sql`
    select found.id from range cross join lateral (
      select m.id from messages m
      where m.organization_id = ${organizationId} and ${place} and m.id > greatest(range.after, ${idRange.after})
        and m.id < least(range.before, ${idRange.before}) ${alsoTrue(query)}
      order by m.id ${direction(idRange)} limit ${idRange.limit}
    ) found
    order by found.id ${direction(idRange)} limit ${idRange.limit}`;
}

function scanMessages(query: MessageQuery, idRange: IdRange, place: Sql): Sql {
  return sql`
    select m.id from messages m
    where m.organization_id = ${query.organizationId} and ${place}
      and m.id > ${idRange.after} and m.id < ${idRange.before} ${alsoTrue(query)}
    order by m.id ${direction(idRange)} limit ${idRange.limit}`;
}

/** Merges many conversations. */
function merge(query: MessageQuery, idRange: IdRange): Sql {
  return mergePlaces(
    idRange,
    sql`range`,
    sql`m.organization_id = ${query.organizationId} and m.recipient_id = range.recipient_id
      and m.id > greatest(range.after, ${idRange.after}) and m.id < least(range.before, ${idRange.before})
      ${alsoTrue(query)}`,
  );
}

/** Merges many topics, of one channel or several. */
function scanTopics(query: MessageQuery, idRange: IdRange, topicIds: readonly TopicId[]): Sql {
  return mergePlaces(
    idRange,
    sql`(select unnest(${topicIds}::bigint[]) as topic_id)`,
    sql`m.organization_id = ${query.organizationId} and m.topic_id = range.topic_id
      and m.id > ${idRange.after} and m.id < ${idRange.before} and ${isInRange} ${alsoTrue(query)}`,
  );
}

/**
 * Each place has a nearest match. The nearest n matches are in the n places whose nearest match is nearest,
 * and none of them lies beyond the last of those. So each place costs one probe, and few places are read
 * further. `isMatch` is a condition on a message `m` and a row `range` of `places`.
 */
function mergePlaces(idRange: IdRange, places: Sql, isMatch: Sql): Sql {
  const { order, limit } = idRange;
  const farthest = order === "desc" ? sql`min(nearest)` : sql`max(nearest)`;
  const isNotBeyond = order === "desc" ? sql`m.id >= range.farthest` : sql`m.id <= range.farthest`;
  const end = order === "desc" ? 0 : NO_LIMIT;
  return sql`
    select found.id from (
      select *, case when count(*) over () < ${limit} then ${end}::bigint else ${farthest} over () end as farthest
      from (
        select range.*, probe.id as nearest from ${places} range cross join lateral (
          select m.id from messages m where ${isMatch} order by m.id ${direction(idRange)} limit 1
        ) probe
        order by probe.id ${direction(idRange)} limit ${limit}
      ) range
    ) range cross join lateral (
      select m.id from messages m where ${isMatch} and ${isNotBeyond} order by m.id ${direction(idRange)} limit ${limit}
    ) found
    order by found.id ${direction(idRange)} limit ${limit}`;
}

/** The most conditions on the index. Each takes planning time. */
const MAX_CONDITIONS = 12;

/**
 * Goes through ID ranges of the log, in the order of the messages, until the limit is reached. The index
 * comes first, then each message is looked up by its id. The statement leaves the planner no choice, since
 * the planner can't know how many messages have two words in common. Phrases are found by their pairs of
 * words where the index has them, and then compared with the row.
 *
 * Each part of the search is a condition of its own. Then PostgreSQL skips from list to list of the index. In
 * a single query of several words it looks at every row of the shortest list.
 */
function scanWords(query: MessageQuery, idRange: IdRange, path: AccessPath & { by: "words" }): Sql {
  const { order, after, before, limit } = idRange;
  const { query: words, filterTerms } = path;
  const { missing = [], withoutPairs = [] } = query.words ?? {};
  const last = Math.min(before - 1, path.upTo);
  const terms = idRangeTerms(query.organizationId, { first: Math.max(0, after + 1), last, order });
  const hasPairs = !terms.some((interval) => overlaps(withoutPairs, interval));
  const parts = atMost(MAX_CONDITIONS, [
    ...filterTerms.map(quote),
    ...(hasPairs ? words.partsByPairs : words.parts),
  ]);
  const hasParts = parts.map((part) => sql`words @@ ${part}::tsquery`);
  const isMatch = words.needsRecheck ? sql`words @@ ${words.text}::tsquery` : sql`true`;
  const isIndexed =
    missing.length > 0 ? sql`not message_id <@ ${formatIntervals(missing)}::int8multirange` : sql`true`;
  return sql`
    select found.id from unnest(${terms.map(({ term }) => quote(term))}::text[]) as id_range (term)
    cross join lateral (
      select w.message_id as id from (
        select message_id from (
          select message_id, words from search_words
          where words @@ id_range.term::tsquery and ${joinSql(hasParts, " and ")}
            and organization_id = ${query.organizationId}
            and message_id > ${after} and message_id < ${before}
          offset 0
        ) by_index
        where ${isMatch} and ${isIndexed}
        order by message_id ${direction(idRange)} offset 0
      ) w
      cross join lateral ${messageInRanges(query, sql`w.message_id`)} m
      where ${isWithinBounds(query)} ${alsoTrue(query)}
      order by w.message_id ${direction(idRange)} limit ${limit}
    ) found
    limit ${limit}`;
}

/** Joins the last queries, if there are more than this. */
function atMost(count: number, queries: readonly string[]): string[] {
  const rest = queries.slice(count - 1);
  return rest.length <= 1
    ? [...queries]
    : [...queries.slice(0, count - 1), rest.map((query) => `(${query})`).join(" & ")];
}

/** Follows the order of the reactions' index, so that the scan ends when the page is full. */
function scanReactions(query: MessageQuery, idRange: IdRange): Sql {
  return sql`
    select m.id from (
      select distinct r.message_id from reactions r
      where r.organization_id = ${query.organizationId}
        and r.message_id > ${idRange.after} and r.message_id < ${idRange.before}
      order by r.message_id ${direction(idRange)} offset 0
    ) reacted
    cross join lateral ${messageInRanges(query, sql`reacted.message_id`)} m
    where ${isWithinBounds(query)} ${alsoTrue(query)}
    order by reacted.message_id ${direction(idRange)} limit ${idRange.limit}`;
}

/**
 * The message with an id, if it is in one of the reader's channels or conversations. The lookup uses the id
 * alone.
 */
function messageInRanges({ organizationId, ranges }: MessageQuery, id: Sql): Sql {
  return sql`(
    select * from messages
    where organization_id = ${organizationId} and id = ${id}
      and recipient_id = any(${ranges.map(({ recipientId }) => recipientId)}::bigint[])
    offset 0
  )`;
}

function scanFlagged(
  query: MessageQuery,
  idRange: IdRange,
  { bits, userId = query.userId }: { bits: number; userId?: UserId },
): Sql {
  return sql`
    select m.id from message_flags flagged
    join messages m on m.organization_id = flagged.organization_id and m.id = flagged.message_id
    where flagged.organization_id = ${query.organizationId} and flagged.user_id = ${userId ?? null}
      and flagged.flags & ${bits}::int <> 0 and flagged.message_id > ${idRange.after} and flagged.message_id < ${idRange.before}
      and ${isInRange} ${alsoTrue(query)}
    order by flagged.message_id ${direction(idRange)} limit ${idRange.limit}`;
}

/**
 * A condition on a message `m`: it is unread unless a read state holds it. Three kinds of messages arrive as
 * read: the reader's own from a program that showed them, notices that the reader's settings count as read,
 * and those from people whom the reader had muted. Readers who never muted anybody have none of the last
 * kind.
 */
export function cameUnread({ state, user }: Reader): Sql {
  const isNotOwn = sql`not (m.sender_id = ${user?.id ?? null} and m.facts & ${messageFacts.readBySender}::int <> 0)`;
  if (!user) return isNotOwn;
  const isNew = sql`${isNotOwn} and not ${isReadNotice(state.organizationId, sql`m`, sql`${user.id}::bigint`)}`;
  if (!state.get(mutedUsers).hasEverMuted(user.id)) return isNew;
  return sql`${isNew} and not exists (
    select from message_flags f where f.organization_id = m.organization_id and f.user_id = ${user.id}
      and f.message_id = m.id and f.flags & ${personalFlags.readOnArrival}::int <> 0)`;
}

/** A condition on a message `m`: the reader received it, because they were subscribed when it was sent. */
export function wasReceived({ user }: Reader): Sql {
  return sql`(m.topic_id is null or exists (
    select from subscriptions s
    where s.organization_id = m.organization_id and s.user_id = ${user?.id ?? null} and s.channel_id = m.recipient_id
      and ${includes(sql`m.id`)}))`;
}

function alsoTrue({ topicId, conditions }: MessageQuery): Sql {
  const all = topicId === undefined ? conditions : [sql`m.topic_id = ${topicId}`, ...conditions];
  return all.length === 0 ? nothing : sql`and ${joinSql(all, " and ")}`;
}

const nothing = joinSql([], "");
