/**
 * Scans for words. Messages that the word index does not have, or has with old words, are read themselves,
 * nearest first. What they match is merged with what the index finds. So a search is right at any moment.
 * While the index is far behind, a scan may end early: `cutAt` tells where.
 */
import type { Queryable } from "../../platform/db/database.ts";
import { joinSql, type Sql, sql } from "../../platform/db/sql.ts";
import type { SearchedWords } from "../search/direct.ts";
import {
  formatIntervals,
  hasId,
  type Interval,
  intersection,
  intervalsOfIds,
  union,
} from "../search/intervals.ts";
import { direction, type IdRange } from "./id-range.ts";
import { type MessageQuery, scan } from "./scan.ts";
import { SearchTime, searchDirectly, type WordSearch } from "./search-directly.ts";

export interface PreparedScan {
  statement: Sql;
  /** Set if messages beyond this id were not searched. */
  cutAt: number | undefined;
}

/**
 * Like `scan`, for any query. `tx` needs a snapshot if nothing may change between the two. `time`: what the
 * request has for messages that are not in the index.
 */
export async function prepareScan(
  tx: Queryable,
  query: MessageQuery,
  idRange: IdRange,
  time = new SearchTime(),
): Promise<PreparedScan> {
  if (!isWordSearch(query)) return { statement: scan(query, idRange), cutAt: undefined };
  const stretches = missingStretches(query, idRange);
  const { ids, cutAt } =
    stretches.length > 0
      ? await searchDirectly(tx, query, idRange, stretches, time)
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

/**
 * Where readable messages are that the index does not have, in the order of the scan. What the reader may not
 * read is left out before the search, since an answer tells how far it came: by that, nobody must learn where
 * hidden messages are.
 */
function missingStretches(
  { words, path, ranges }: WordSearch,
  { order, after, before }: IdRange,
): Interval[] {
  const { missing } = words;
  const chosen =
    path.by === "ids" ? union(intervalsOfIds(path.ids.filter((id) => hasId(missing, id)))) : missing;
  const readable = union(ranges.map((range) => ({ from: range.after + 1, to: range.before })));
  const stretches = intersection(intersection(chosen, readable), [{ from: after + 1, to: before }]);
  return order === "desc" ? stretches.reverse() : stretches;
}
