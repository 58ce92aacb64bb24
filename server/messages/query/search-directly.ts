/**
 * Searches messages themselves, step by step, nearest first. A step spans so many ids that one statement
 * looks at them in a fraction of a second, and gives those that may match. Only these are split into words.
 */
import type { TopicId } from "../../../api/ids.ts";
import { textArray } from "../../platform/db/array.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { joinSql, type Sql, sql } from "../../platform/db/sql.ts";
import { listHolding, necessaryTexts } from "../search/direct.ts";
import type { Interval } from "../search/intervals.ts";
import { direction, type IdRange } from "./id-range.ts";
import { isInRange, type MessageQuery, rangeTable } from "./scan.ts";

export type WordSearch = MessageQuery & { words: NonNullable<MessageQuery["words"]> };

const MAX_MS = 1500;

/** How long one request may search directly. All of its scans share the time. */
export class SearchTime {
  readonly #end: number;

  constructor(ms = MAX_MS) {
    this.#end = performance.now() + ms;
  }

  get isOver(): boolean {
    return performance.now() >= this.#end;
  }
}

/** How many ids the steps span. */
const FIRST_STEP = 4000;
const SHORTEST_STEP = 1000;
const LONGEST_STEP = 50_000;
/** A step that took less is followed by a longer one, and one that took more by a shorter one. */
const SHORT_STEP_MS = 100;
const LONG_STEP_MS = 300;
/** The most possible matches that a step gives. The next one goes on behind them. */
const MAX_POSSIBLE = 1000;
/** The most messages to split into words for one scan, and the length of their HTML. */
const MAX_READ = 3000;
const MAX_READ_LENGTH = 4 * 1024 * 1024;
const READ_AT_ONCE = 200;
const LENGTH_AT_ONCE = 512 * 1024;

interface PossibleMatch {
  id: number;
  /** The length of the HTML in bytes. */
  length: number;
}

interface Found {
  ids: number[];
  /** Set if messages beyond this id were not searched. */
  cutAt: number | undefined;
}

/**
 * Reads messages in these stretches, which have the order of the scan, until there are enough matches for a
 * page, or until it was enough work. One step is always made, so that each request comes further.
 */
export async function searchDirectly(
  tx: Queryable,
  query: WordSearch,
  { order, limit }: IdRange,
  stretches: readonly Interval[],
  time: SearchTime,
): Promise<Found> {
  const isBounded = query.path.by !== "ids";
  // Along this path, not every match is on the page.
  const enough = query.path.by === "unread" ? Number.POSITIVE_INFINITY : limit;
  const ids: number[] = [];
  const done = { read: 0, length: 0 };
  const [ends, mayMatch] = await Promise.all([findPlaceEnds(tx, query), quickTest(tx, query)]);
  let rest = cut(stretches, ends);
  for (let width = FIRST_STEP, steps = 0; rest.length > 0; steps++) {
    if (isBounded && steps > 0 && time.isOver) return { ids, cutAt: beyond(rest, order) };
    const startedAt = performance.now();
    const { step, others } = split(rest, order, width);
    const possible = await tx.query<PossibleMatch>(listPossible(query, order, step, mayMatch));
    width = nextWidth(width, performance.now() - startedAt);
    let lastRead: number | undefined;
    for (const batch of batchesOf(possible)) {
      const length = batch.reduce((sum, message) => sum + message.length, 0);
      const isTooMuch = done.read + batch.length > MAX_READ || done.length + length > MAX_READ_LENGTH;
      if (isBounded && done.read > 0 && (isTooMuch || time.isOver)) {
        return { ids, cutAt: lastRead ?? beyond(rest, order) };
      }
      done.read += batch.length;
      done.length += length;
      lastRead = batch.at(-1)?.id;
      const batchIds = batch.map(({ id }) => id);
      ids.push(...(await listHolding(tx, query.organizationId, batchIds, query.words.searched)));
      if (ids.length >= enough) return { ids, cutAt: undefined };
    }
    rest = possible.length < MAX_POSSIBLE ? others : after(rest, order, lastRead as number);
  }
  return { ids, cutAt: undefined };
}

function nextWidth(width: number, tookMs: number): number {
  if (tookMs > LONG_STEP_MS) return Math.max(SHORTEST_STEP, Math.floor(width / 4));
  return tookMs < SHORT_STEP_MS ? Math.min(LONGEST_STEP, 4 * width) : width;
}

/** The first ids of these stretches, in the order of the scan, and the stretches without them. */
function split(
  stretches: readonly Interval[],
  order: IdRange["order"],
  count: number,
): { step: Interval[]; others: Interval[] } {
  let width = 0;
  const at = stretches.findIndex(({ from, to }) => {
    width += to - from;
    return width >= count;
  });
  const last = stretches[at];
  if (!last || width === count) {
    const end = last ? at + 1 : stretches.length;
    return { step: stretches.slice(0, end), others: stretches.slice(end) };
  }
  const left = width - count;
  const [taken, other] =
    order === "desc"
      ? [
          { from: last.from + left, to: last.to },
          { from: last.from, to: last.from + left },
        ]
      : [
          { from: last.from, to: last.to - left },
          { from: last.to - left, to: last.to },
        ];
  return { step: [...stretches.slice(0, at), taken], others: [other, ...stretches.slice(at + 1)] };
}

/** The nearest id before these stretches. */
function beyond([first]: readonly Interval[], order: IdRange["order"]): number {
  return order === "desc" ? (first?.to ?? 0) : (first?.from ?? 0) - 1;
}

/** The part of the stretches that comes after an id, in the order of the scan. */
function after(stretches: readonly Interval[], order: IdRange["order"], id: number): Interval[] {
  return cut(
    stretches,
    order === "desc" ? { from: 0, to: id } : { from: id + 1, to: Number.MAX_SAFE_INTEGER },
  );
}

function cut(stretches: readonly Interval[], ends: Interval): Interval[] {
  return stretches
    .map(({ from, to }) => ({ from: Math.max(from, ends.from), to: Math.min(to, ends.to) }))
    .filter(({ from, to }) => from < to);
}

function batchesOf(possible: readonly PossibleMatch[]): PossibleMatch[][] {
  const batches: PossibleMatch[][] = [];
  let length = 0;
  for (const message of possible) {
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

/** Between which ids the messages of the query's place lie. Stretches may reach far beyond the last one. */
async function findPlaceEnds(tx: Queryable, query: WordSearch): Promise<Interval> {
  const inPlace = sql`from messages m where m.organization_id = ${query.organizationId} and ${placeOf(query)}`;
  const [row] = await tx.query<{ first: number | null; last: number | null }>(sql`
    select (select m.id ${inPlace} order by m.id limit 1) as first,
      (select m.id ${inPlace} order by m.id desc limit 1) as last`);
  return { from: row?.first ?? 0, to: (row?.last ?? -1) + 1 };
}

/** The query's topic, or its only channel or conversation, so that the order comes from an index. */
function placeOf({ ranges, topicId }: WordSearch): Sql {
  if (topicId !== undefined) return sql`m.topic_id = ${topicId}`;
  const recipientIds = recipientIdsOf(ranges);
  return recipientIds.length === 1 ? sql`m.recipient_id = ${recipientIds[0]}` : sql`true`;
}

function recipientIdsOf(ranges: WordSearch["ranges"]): number[] {
  return [...new Set(ranges.map(({ recipientId }) => recipientId))];
}

/**
 * The next messages in these stretches that may contain the words. Only these are asked for the other
 * conditions, and whether the reader may read them.
 */
function listPossible(
  query: WordSearch,
  order: IdRange["order"],
  stretches: readonly Interval[],
  mayMatch: Sql,
): Sql {
  const { organizationId, ranges, conditions } = query;
  const inOrder = direction({ order });
  const isWanted = joinSql([isInRange, ...conditions], " and ");
  return sql`
    with ${rangeTable(query)}
    select possible.* from unnest(
      ${stretches.map(({ from }) => from)}::bigint[], ${stretches.map(({ to }) => to)}::bigint[]
    ) as stretch (low, high)
    cross join lateral (
      select m.id, octet_length(m.rendered_content) as length
      from messages m
      where m.organization_id = ${organizationId} and ${placeOf(query)} and m.id >= stretch.low and m.id < stretch.high
        and case when m.recipient_id = any(${recipientIdsOf(ranges)}::bigint[]) and ${mayMatch} then ${isWanted} end
      order by m.id ${inOrder} limit ${MAX_POSSIBLE}
    ) possible
    limit ${MAX_POSSIBLE}`;
}

/** The most topics to name in a statement for each text. */
const MAX_TOPICS = 1000;

/**
 * Whether a message has all of the necessary texts, in its HTML or in its topic's name. Over texts with
 * accents, only splitting them into words can tell. The topics are looked up once for all steps: a look-up
 * for each message would take as long as everything else.
 */
async function quickTest(tx: Queryable, { organizationId, words, topicId }: WordSearch): Promise<Sql> {
  const texts = necessaryTexts(words.searched);
  if (texts.length === 0) return sql`true`;
  const isNamed = (text: Sql) =>
    sql`(octet_length(topic.name) <> length(topic.name) or strpos(lower(topic.name collate "C"), ${text}) > 0)`;
  const among = topicId === undefined ? sql`true` : sql`topic.id = ${topicId}`;
  const named = await tx.query<{ text: string; topicIds: TopicId[] }>(sql`
    select searched.text, array(
      select topic.id from topics topic
      where topic.organization_id = ${organizationId} and ${among} and ${isNamed(sql`searched.text`)}
      limit ${MAX_TOPICS + 1}
    ) as "topicIds" from unnest(${textArray(texts)}::text[]) as searched (text)`);
  const hasText = named.map(({ text, topicIds }) => {
    const inName =
      topicIds.length > MAX_TOPICS
        ? sql`exists (select from topics topic where topic.organization_id = m.organization_id
            and topic.id = m.topic_id and ${isNamed(sql`${text}`)})`
        : sql`coalesce(m.topic_id = any(${topicIds}::bigint[]), false)`;
    return sql`(strpos(lower(m.rendered_content collate "C"), ${text}) > 0 or ${inName})`;
  });
  return sql`(octet_length(m.rendered_content) <> length(m.rendered_content) or (${joinSql(hasText, " and ")}))`;
}
