/**
 * Walks: statements that select the ids of matching messages in order, at most so many, from one end. Each takes the way
 * that meets a match soonest: an index over one conversation, over one person's marks, the gaps in a read state, or the
 * merge of many conversations. Whatever the way, a walk never leaves the reader's spans.
 */
import type { OrganizationId, TopicId, UserId } from "../../../../api/ids.ts";
import { joinSql, type Sql, sql } from "../../../platform/db/sql.ts";
import { mutedUsers } from "../../muted-users/muted-users.ts";
import { stretchMarks } from "../../search/filter-terms.ts";
import { quote } from "../../search/query.ts";
import { facts, PERSONAL_MENTIONS, personalFlags } from "../model/message.ts";
import { NO_LIMIT, type Reader, type Span } from "./readable/readable-ranges.ts";

export type Way =
  /** Along the spans themselves. */
  | { by: "spans" }
  /** These messages alone. */
  | { by: "ids"; ids: readonly number[] }
  /** Along the messages that carry one of these bits for someone: the reader, if nobody is named. */
  | { by: "marks"; bits: number; userId?: UserId }
  /** Along the messages that mention the reader: by a mark of theirs, or with everyone, or by a group. */
  | { by: "mentions" }
  /** Along the gaps in the reader's read states. */
  | { by: "unread" }
  /** Along these topics, which hold everything that matches. */
  | { by: "topics"; topicIds: readonly TopicId[] }
  /**
   * Along what the index of words has for a query, the text of a `tsquery`, up to this position. It tells all that
   * `condition` does.
   */
  | { by: "words"; query: string; upTo: number; condition: Sql }
  /** Along the messages that somebody reacted to. */
  | { by: "reactions" }
  /** Along whatever index over all messages serves the conditions. */
  | { by: "messages" };

export interface Search {
  organizationId: OrganizationId;
  userId: UserId | undefined;
  /** At least one. */
  spans: readonly Span[];
  /** Set when all that matches must be in this one topic; the conditions don't say it again. */
  topicId: TopicId | undefined;
  /** See the function of that name. */
  cameUnread: Sql;
  /** What matches, over messages `m` and the table `span`. */
  conditions: readonly Sql[];
  way: Way;
}

/** Which part to walk: after < id < before, from its lower end (`asc`) or its upper one. */
export interface Stretch {
  order: "asc" | "desc";
  after: number;
  before: number;
  limit: number;
}

/** For the head of a statement that holds walks: `with ${spanTable(search)}`. */
export function spanTable({ spans }: Pick<Search, "spans">): Sql {
  return sql`span as materialized (
    select * from unnest(
      ${spans.map((span) => span.recipientId)}::bigint[], ${spans.map((span) => span.after)}::bigint[],
      ${spans.map((span) => span.before)}::bigint[], ${spans.map((span) => span.unreadAfter)}::bigint[]
    ) as span (recipient_id, after, before, unread_after))`;
}

/** Whether all that is asked is where a message is, or whether it is unread. Its walks differ in their values alone. */
export function isPlain({ way, conditions }: Search): boolean {
  return conditions.length === 0 && (way.by === "spans" || way.by === "unread");
}

export function walk(search: Search, stretch: Stretch): Sql {
  const { way } = search;
  switch (way.by) {
    case "ids":
      return walkMessages(search, stretch, sql`m.id = any(${way.ids}::bigint[]) and ${isInSpan}`);
    case "marks":
      return walkMarks(search, stretch, way);
    case "mentions": {
      const byMark = walkMarks(search, stretch, { bits: PERSONAL_MENTIONS });
      const withMany = walkMessages(search, stretch, sql`${mentionsMany} and ${isInSpan}`);
      return sql`select id from ((${byMark}) union (${withMany})) mention order by id ${direction(stretch)} limit ${stretch.limit}`;
    }
    case "unread":
      return walkUnread(search, stretch);
    case "topics":
      return walkTopics(search, stretch, way.topicIds);
    case "words":
      return walkWords(search, stretch, way);
    case "reactions":
      return walkReactions(search, stretch);
    case "messages":
      return walkMessages(search, stretch, isInSpan);
    case "spans":
      return walkSpans(search, stretch);
  }
}

/** Literally the predicate of the index messages_to_many. */
const mentionsMany = sql`(m.facts & 3 <> 0 or m.mentioned_group_ids is not null)`;

const isInSpan = sql`exists (
  select from span where span.recipient_id = m.recipient_id and m.id > span.after and m.id < span.before)`;

function walkSpans(search: Search, stretch: Stretch): Sql {
  const { spans, topicId } = search;
  const [first] = spans as [Span];
  if (spans.length === 1) {
    const inside = {
      ...stretch,
      after: Math.max(stretch.after, first.after),
      before: Math.min(stretch.before, first.before),
    };
    const place =
      topicId === undefined ? sql`m.recipient_id = ${first.recipientId}` : sql`m.topic_id = ${topicId}`;
    return walkMessages(search, inside, place);
  }
  if (spans.every((span) => span.recipientId === first.recipientId)) return walkEach(search, stretch);
  return merge(search, stretch);
}

/** Each span by itself: for the few of one channel, to which someone came more than once. */
function walkEach(search: Search, stretch: Stretch): Sql {
  const { organizationId, topicId } = search;
  const place =
    topicId === undefined ? sql`m.recipient_id = span.recipient_id` : sql`m.topic_id = ${topicId}`;
  return sql`
    select found.id from span cross join lateral (
      select m.id from messages m
      where m.organization_id = ${organizationId} and ${place} and m.id > greatest(span.after, ${stretch.after})
        and m.id < least(span.before, ${stretch.before}) ${alsoTrue(search)}
      order by m.id ${direction(stretch)} limit ${stretch.limit}
    ) found
    order by found.id ${direction(stretch)} limit ${stretch.limit}`;
}

function walkMessages(search: Search, stretch: Stretch, place: Sql): Sql {
  return sql`
    select m.id from messages m
    where m.organization_id = ${search.organizationId} and ${place}
      and m.id > ${stretch.after} and m.id < ${stretch.before} ${alsoTrue(search)}
    order by m.id ${direction(stretch)} limit ${stretch.limit}`;
}

/** Many conversations. */
function merge(search: Search, stretch: Stretch): Sql {
  return mergePlaces(
    stretch,
    sql`span`,
    sql`m.organization_id = ${search.organizationId} and m.recipient_id = span.recipient_id
      and m.id > greatest(span.after, ${stretch.after}) and m.id < least(span.before, ${stretch.before})
      ${alsoTrue(search)}`,
  );
}

/** Many topics, in one channel or in several. */
function walkTopics(search: Search, stretch: Stretch, topicIds: readonly TopicId[]): Sql {
  return mergePlaces(
    stretch,
    sql`(select unnest(${topicIds}::bigint[]) as topic_id)`,
    sql`m.organization_id = ${search.organizationId} and m.topic_id = span.topic_id
      and m.id > ${stretch.after} and m.id < ${stretch.before} and ${isInSpan} ${alsoTrue(search)}`,
  );
}

/**
 * The nearest n matches are in the n places whose nearest match is nearest, and none of them lies beyond the last of
 * those: so each place costs one probe, and few are read on. `isMatch` is about a message `m` and a row `span` of `places`.
 */
function mergePlaces(stretch: Stretch, places: Sql, isMatch: Sql): Sql {
  const { order, limit } = stretch;
  const farthest = order === "desc" ? sql`min(nearest)` : sql`max(nearest)`;
  const isNotBeyond = order === "desc" ? sql`m.id >= span.farthest` : sql`m.id <= span.farthest`;
  const end = order === "desc" ? 0 : NO_LIMIT;
  return sql`
    select found.id from (
      select *, case when count(*) over () < ${limit} then ${end}::bigint else ${farthest} over () end as farthest
      from (
        select span.*, probe.id as nearest from ${places} span cross join lateral (
          select m.id from messages m where ${isMatch} order by m.id ${direction(stretch)} limit 1
        ) probe
        order by probe.id ${direction(stretch)} limit ${limit}
      ) span
    ) span cross join lateral (
      select m.id from messages m where ${isMatch} and ${isNotBeyond} order by m.id ${direction(stretch)} limit ${limit}
    ) found
    order by found.id ${direction(stretch)} limit ${limit}`;
}

/**
 * Stretches of the log one after the other, until there is enough: their order is the messages'. The index is asked first
 * and each message looked up by its id, whatever the planner thinks: how many messages have two words in common it can't know.
 */
function walkWords(search: Search, stretch: Stretch, way: Way & { by: "words" }): Sql {
  const { order, after, before, limit } = stretch;
  const last = Math.min(before - 1, way.upTo);
  const marks = stretchMarks(search.organizationId, { first: Math.max(0, after + 1), last, order });
  const others = search.conditions.filter((condition) => condition !== way.condition);
  return sql`
    select found.id from unnest(${marks.map(quote)}::text[]) as stretch (mark) cross join lateral (
      select w.message_id as id from (
        select message_id from search_words
        where words @@ (${way.query}::tsquery && stretch.mark::tsquery) and organization_id = ${search.organizationId}
          and message_id > ${after} and message_id < ${before}
        order by message_id ${direction(stretch)} offset 0
      ) w
      cross join lateral ${messageInSpans(search, sql`w.message_id`)} m
      where ${isInSpan} ${alsoTrue({ ...search, conditions: others })}
      order by w.message_id ${direction(stretch)} limit ${limit}
    ) found
    limit ${limit}`;
}

/** In the order of the reactions' index, so that it ends with the page. */
function walkReactions(search: Search, stretch: Stretch): Sql {
  return sql`
    select m.id from (
      select distinct r.message_id from reactions r
      where r.organization_id = ${search.organizationId}
        and r.message_id > ${stretch.after} and r.message_id < ${stretch.before}
      order by r.message_id ${direction(stretch)} offset 0
    ) reacted
    cross join lateral ${messageInSpans(search, sql`reacted.message_id`)} m
    where ${isInSpan} ${alsoTrue(search)}
    order by reacted.message_id ${direction(stretch)} limit ${stretch.limit}`;
}

/** The message with an id, looked up by it alone, if it is in one of the reader's channels and conversations. */
function messageInSpans({ organizationId, spans }: Search, id: Sql): Sql {
  return sql`(
    select * from messages
    where organization_id = ${organizationId} and id = ${id}
      and recipient_id = any(${spans.map(({ recipientId }) => recipientId)}::bigint[])
    offset 0
  )`;
}

function walkMarks(
  search: Search,
  stretch: Stretch,
  { bits, userId = search.userId }: { bits: number; userId?: UserId },
): Sql {
  return sql`
    select m.id from message_flags mark
    join messages m on m.organization_id = mark.organization_id and m.id = mark.message_id
    where mark.organization_id = ${search.organizationId} and mark.user_id = ${userId ?? null}
      and mark.flags & ${bits}::int <> 0 and mark.message_id > ${stretch.after} and mark.message_id < ${stretch.before}
      and ${isInSpan} ${alsoTrue(search)}
    order by mark.message_id ${direction(stretch)} limit ${stretch.limit}`;
}

/** The gaps of a span are met in their order, so the limit ends the walk through them; no sorting is asked for. */
function walkUnread(search: Search, stretch: Stretch): Sql {
  const { organizationId, userId, topicId } = search;
  const place =
    topicId === undefined ? sql`m.recipient_id = span.recipient_id` : sql`m.topic_id = ${topicId}`;
  return sql`
    select found.id from span
    left join read_states r
      on r.organization_id = ${organizationId} and r.user_id = ${userId ?? null} and r.recipient_id = span.recipient_id
    cross join lateral (
      select m.id from (
        select range from unnest(${unreadRanges} * ${rangeOf(stretch)}) as range order by range ${direction(stretch)}
      ) gap cross join lateral (
        select m.id from messages m
        where m.organization_id = ${organizationId} and ${place} and m.id >= lower(gap.range)
          and m.id < coalesce(upper(gap.range), ${NO_LIMIT}::bigint) and ${search.cameUnread} ${alsoTrue(search)}
        order by m.id ${direction(stretch)} limit ${stretch.limit}
      ) m
      limit ${stretch.limit}
    ) found
    where span.unread_after is not null
    order by found.id ${direction(stretch)} limit ${stretch.limit}`;
}

function rangeOf({ after, before }: Stretch): Sql {
  return sql`int8multirange(int8range(${after}, ${before}, '()'))`;
}

/**
 * Where unread messages can be, of a row of `span` and its read state `r` (which may be missing): what came in the present
 * subscription less what is read, and what was marked unread by hand.
 */
export const unreadRanges: Sql = sql`(
  (int8multirange(int8range(span.unread_after, null, '()')) - coalesce(r.ranges, '{}'))
    + coalesce(r.marked_unread, '{}')
) * int8multirange(int8range(span.after, span.before, '()'))`;

/**
 * Of a message `m`: that it may be unread where a read state does not hold it. Own messages sent by a program in which one
 * sees them may not, nor those of people who were muted, which only those have who ever muted anybody.
 */
export function cameUnread({ state, user }: Reader): Sql {
  const isNotOwn = sql`not (m.sender_id = ${user?.id ?? null} and m.facts & ${facts.readBySender}::int <> 0)`;
  if (!user || !state.get(mutedUsers).hasEverMuted(user.id)) return isNotOwn;
  return sql`${isNotOwn} and not exists (
    select from message_flags f where f.organization_id = m.organization_id and f.user_id = ${user.id}
      and f.message_id = m.id and f.flags & ${personalFlags.readOnArrival}::int <> 0)`;
}

/** Of a message `m`: that the reader received it, as those did who were subscribed when it was sent. */
export function wasReceived({ user }: Reader): Sql {
  return sql`(m.topic_id is null or exists (
    select from subscriptions s
    join log_marks began on began.organization_id = s.organization_id and began.id = s.from_mark
    left join log_marks ended on ended.organization_id = s.organization_id and ended.id = s.to_mark
    where s.organization_id = m.organization_id and s.user_id = ${user?.id ?? null} and s.channel_id = m.recipient_id
      and began.position < m.id and (ended.position is null or ended.position > m.id)))`;
}

function alsoTrue({ topicId, conditions }: Search): Sql {
  const all = topicId === undefined ? conditions : [sql`m.topic_id = ${topicId}`, ...conditions];
  return all.length === 0 ? nothing : sql`and ${joinSql(all, " and ")}`;
}

const nothing = joinSql([], "");
const ascending = sql`asc`;
const descending = sql`desc`;

function direction({ order }: Stretch): Sql {
  return order === "asc" ? ascending : descending;
}
