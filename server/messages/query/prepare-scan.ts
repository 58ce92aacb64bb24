/**
 * Scans for words. Messages that the word index does not have, or has with old words, are read themselves,
 * nearest first. What they match is merged with what the index finds. So a search is right at any moment.
 * While the index is far behind, a scan may end early: `cutAt` tells where.
 */
import type { Queryable } from "../../platform/db/database.ts";
import { joinSql, type Sql, sql } from "../../platform/db/sql.ts";
import { listHolding, necessaryTexts, type SearchedWords } from "../search/direct.ts";
import { formatIntervals, hasId, type Interval, intervalsOfIds, union } from "../search/intervals.ts";
import { direction, type IdRange, isInRange, type MessageQuery, rangeTable, scan } from "./scan.ts";

export interface PreparedScan {
  statement: Sql;
  /** Set if messages beyond this id were not searched. */
  cutAt: number | undefined;
}

type WordSearch = MessageQuery & { words: NonNullable<MessageQuery["words"]> };

/** Like `scan`, for any query. `tx` needs a snapshot if nothing may change between the two. */
export async function prepareScan(
  tx: Queryable,
  query: MessageQuery,
  idRange: IdRange,
): Promise<PreparedScan> {
  if (!isWordSearch(query)) return { statement: scan(query, idRange), cutAt: undefined };
  const stretches = missingStretches(query, idRange);
  const { ids, cutAt } =
    stretches.length > 0
      ? await searchDirectly(tx, query, idRange, stretches)
      : { ids: [], cutAt: undefined };
  return { statement: merged(query, cutAt === undefined ? idRange : within(idRange, cutAt), ids), cutAt };
}

function isWordSearch(query: MessageQuery): query is WordSearch {
  return query.words !== undefined;
}

function within(idRange: IdRange, cutAt: number): IdRange {
  return idRange.order === "desc" ? { ...idRange, after: cutAt - 1 } : { ...idRange, before: cutAt + 1 };
}

/** A scan of the index, and of these other messages that match. */
function merged(query: WordSearch, idRange: IdRange, ids: readonly number[]): Sql {
  const { words, conditions, path } = query;
  const others = words.searched.filter(({ query }) => path.by !== "words" || path.query !== query);
  const indexed = others.map(isIndexed);
  if (path.by !== "words") {
    if (words.missing.length > 0)
      indexed.push(sql`not m.id <@ ${formatIntervals(words.missing)}::int8multirange`);
    const hasWords = sql`(m.id = any(${ids}::bigint[]) or (${joinSql(indexed, " and ")}))`;
    return scan({ ...query, conditions: [...conditions, hasWords] }, idRange);
  }
  const byIndex = scan({ ...query, conditions: [...conditions, ...indexed] }, idRange);
  if (ids.length === 0) return byIndex;
  const direct = scan({ ...query, path: { by: "ids", ids } }, idRange);
  return sql`
    select id from ((${byIndex}) union all (${direct})) found
    order by id ${direction(idRange)} limit ${idRange.limit}`;
}

function isIndexed({ query, isNegated }: SearchedWords): Sql {
  const condition = sql`exists (select from search_words w where w.organization_id = m.organization_id
    and w.message_id = m.id and w.words @@ ${query.text}::tsquery)`;
  return isNegated ? sql`not ${condition}` : condition;
}

/** Where messages are that the index does not have, in the order of the scan. */
function missingStretches({ words, path }: WordSearch, { order, after, before }: IdRange): Interval[] {
  const { missing } = words;
  const chosen =
    path.by === "ids" ? union(intervalsOfIds(path.ids.filter((id) => hasId(missing, id)))) : missing;
  const stretches = chosen
    .map(({ from, to }) => ({ from: Math.max(from, after + 1), to: Math.min(to, before) }))
    .filter(({ from, to }) => from < to);
  return order === "desc" ? stretches.reverse() : stretches;
}

const FIRST_STEP = 200;
const LONGEST_STEP = 4000;
/** The most messages to look at for one scan. Most of them are left out by a quick test. */
const MAX_EXAMINED = 20_000;
/** The most messages to split into words for one scan, and the length of their HTML. */
const MAX_READ = 3000;
const MAX_READ_LENGTH = 4 * 1024 * 1024;
const READ_AT_ONCE = 200;
const LENGTH_AT_ONCE = 512 * 1024;

interface Examined {
  id: number;
  /** The length of the HTML; null if the message can't match. */
  length: number | null;
}

/**
 * Reads messages in these stretches until there are enough matches for a page, or until it was enough work.
 */
async function searchDirectly(
  tx: Queryable,
  query: WordSearch,
  { order, limit }: IdRange,
  stretches: readonly Interval[],
): Promise<{ ids: number[]; cutAt: number | undefined }> {
  const isBounded = query.path.by !== "ids";
  // Along this path, not every match is on the page.
  const enough = query.path.by === "unread" ? Number.POSITIVE_INFINITY : limit;
  const ids: number[] = [];
  const done = { examined: 0, read: 0, length: 0 };
  let rest = stretches;
  for (let step = FIRST_STEP; ; step = Math.min(LONGEST_STEP, 4 * step)) {
    const examined = await tx.query<Examined>(examine(query, order, rest, step));
    const last = examined.at(-1);
    if (!last) return { ids, cutAt: undefined };
    done.examined += examined.length;
    let lastRead: number | undefined;
    for (const batch of batchesOf(examined)) {
      const length = batch.reduce((sum, message) => sum + (message.length ?? 0), 0);
      const isTooMuch = done.read + batch.length > MAX_READ || done.length + length > MAX_READ_LENGTH;
      if (isBounded && isTooMuch && done.read > 0) {
        return { ids, cutAt: lastRead ?? beyond(rest, order) };
      }
      done.read += batch.length;
      done.length += length;
      lastRead = batch.at(-1)?.id;
      const batchIds = batch.map(({ id }) => id);
      ids.push(...(await listHolding(tx, query.organizationId, batchIds, query.words.searched)));
      if (ids.length >= enough) return { ids, cutAt: undefined };
    }
    if (examined.length < step) return { ids, cutAt: undefined };
    if (isBounded && done.examined >= MAX_EXAMINED) return { ids, cutAt: last.id };
    rest = after(rest, order, last.id);
  }
}

/** The nearest id before these stretches. */
function beyond([first]: readonly Interval[], order: IdRange["order"]): number {
  return order === "desc" ? (first?.to ?? 0) : (first?.from ?? 0) - 1;
}

/** The part of the stretches that comes after an id, in the order of the scan. */
function after(stretches: readonly Interval[], order: IdRange["order"], id: number): Interval[] {
  return stretches
    .map(({ from, to }) =>
      order === "desc" ? { from, to: Math.min(to, id) } : { from: Math.max(from, id + 1), to },
    )
    .filter(({ from, to }) => from < to);
}

function batchesOf(examined: readonly Examined[]): Examined[][] {
  const batches: Examined[][] = [];
  let length = 0;
  for (const message of examined) {
    if (message.length === null) continue;
    const batch = batches.at(-1);
    length += message.length;
    if (batch && batch.length < READ_AT_ONCE && length <= LENGTH_AT_ONCE) {
      batch.push(message);
      continue;
    }
    batches.push([message]);
    length = message.length;
  }
  return batches;
}

/**
 * The next messages in these stretches: of the query's place if it is one, else of the whole log, so that the
 * order comes from an index. Only those that may contain the words are asked for the other conditions, and
 * whether the reader may read them.
 */
function examine(
  query: WordSearch,
  order: IdRange["order"],
  stretches: readonly Interval[],
  limit: number,
): Sql {
  const { organizationId, ranges, topicId, conditions } = query;
  const inOrder = direction({ order });
  const recipientIds = [...new Set(ranges.map((range) => range.recipientId))];
  const place =
    topicId === undefined
      ? recipientIds.length === 1
        ? sql`recipient_id = ${recipientIds[0]}`
        : sql`true`
      : sql`topic_id = ${topicId}`;
  const isWanted = joinSql([isInRange, ...conditions], " and ");
  return sql`
    with ${rangeTable(query)}, m as materialized (
      select message.* from unnest(
        ${stretches.map(({ from }) => from)}::bigint[], ${stretches.map(({ to }) => to)}::bigint[]
      ) as stretch (low, high)
      cross join lateral (
        select * from messages
        where organization_id = ${organizationId} and ${place} and id >= stretch.low and id < stretch.high
        order by id ${inOrder} limit ${limit}
      ) message
      limit ${limit}
    )
    select m.id, case when ${mayMatch(query.words.searched)} then
      case when ${isWanted} then octet_length(m.rendered_content) end end as length
    from m left join topics topic on topic.organization_id = m.organization_id and topic.id = m.topic_id
    cross join lateral (
      select case when m.recipient_id = any(${recipientIds}::bigint[])
        then m.rendered_content || ' ' || coalesce(topic.name, '') end as text
      offset 0
    ) searched
    order by m.id ${inOrder}`;
}

/** Over texts with accents, only splitting them into words can tell. */
function mayMatch(searched: readonly SearchedWords[]): Sql {
  const texts = necessaryTexts(searched);
  if (texts.length === 0) return sql`searched.text is not null`;
  const hasAccents = sql`octet_length(searched.text) <> length(searched.text)`;
  const lower = sql`lower(searched.text collate "C")`;
  const all = joinSql(
    texts.map((text) => sql`strpos(${lower}, ${text}) > 0`),
    " and ",
  );
  return sql`(${hasAccents} or (${all}))`;
}
