import type { MessageId } from "../../../../api/ids.ts";
import type { Queryable } from "../../../platform/db/database.ts";
import { joinSql, prepare, type Sql, sql } from "../../../platform/db/sql.ts";
import { type Readable, withReadState } from "../../access.ts";
import { type Bound, listFetchedAround } from "../fetch.ts";
import type { IdRange } from "../id-range.ts";
import { hasSearch } from "../narrow/matches.ts";
import { readNarrow, type Term } from "../narrow/narrow.ts";
import { type PreparedScan, prepareScan } from "../prepare-scan.ts";
import { NO_LIMIT, type Reader } from "../readable/readable-ranges.ts";
import type { SubscriptionIntervals } from "../readable/subscription-intervals.ts";
import { isPlain, type MessageQuery, rangeTable } from "../scan.ts";
import { SearchTime } from "../search-directly.ts";
import { findFirstSince } from "./date-anchor.ts";
import { type Anchor, NEWEST_ANCHOR, OLDEST_ANCHOR, type PageRequest } from "./page-request.ts";

/**
 * The total size of the texts in a response, as Markdown and as HTML. That is some tens of milliseconds of
 * work, and more than 5,000 messages of the usual length.
 */
export const MAX_PAGE_BYTES = 8 * 1024 * 1024;
/** The limit where words are highlighted, because the texts must then be tokenized. */
export const MAX_HIGHLIGHTED_BYTES = 2 * 1024 * 1024;

/** How far a page reaches. */
interface Ends {
  foundOldest: boolean;
  foundNewest: boolean;
  /** Set if a search ended early: between these ids, the page has every match. */
  searchedFrom?: number;
  searchedTo?: number;
}

export interface Page extends Ends {
  messages: Readable[];
  /** The anchor as a number. After a search on one side that ended early, the id up to which it looked. */
  anchor: number;
  foundAnchor: boolean;
}

/**
 * The messages around an anchor that match a narrow. These are up to `before` older ones, the one with the
 * anchor's id, and up to `after` newer ones. If nothing is unread, `first_unread` means the newest message. A
 * date after all messages also means the newest. If the texts would be too large, the messages farthest from
 * the anchor are left out. The end on their side then counts as not found.
 */
export async function fetchPage(reader: Reader, tx: Queryable, request: PageRequest): Promise<Page> {
  const { search, received, anchor, isOneSided, parts, ends } = await findPage(reader, tx, request);
  const { rows, found } =
    search && parts.length > 0
      ? await fetchParts(tx, search, parts, boundOf(request.narrow, anchor))
      : { rows: [], found: [] };
  const { foundOldest, foundNewest, ...searched } = ends(found);
  const hasOldest = rows[0]?.id === found[0];
  const hasNewest = rows.at(-1)?.id === found.at(-1);
  // Beyond messages that were left out, a client goes on from the last one that it has.
  const searchedFrom = hasOldest ? searched.searchedFrom : undefined;
  const searchedTo = hasNewest ? searched.searchedTo : undefined;
  return {
    messages: rows.map((row) => withReadState(row, reader.user?.id, received)),
    anchor: (isOneSided ? (searchedFrom ?? searchedTo) : undefined) ?? anchor,
    foundAnchor: rows.some(({ id }) => id === anchor),
    foundOldest: foundOldest && hasOldest,
    foundNewest: foundNewest && hasNewest,
    ...(searchedFrom !== undefined && { searchedFrom }),
    ...(searchedTo !== undefined && { searchedTo }),
  };
}

/** The ids of the page that `fetchPage` would return, ascending. */
export async function fetchPageIds(
  reader: Reader,
  tx: Queryable,
  request: PageRequest,
): Promise<{ ids: MessageId[] } & Ends> {
  const { search, parts, ends } = await findPage(reader, tx, request);
  const rows =
    search && parts.length > 0
      ? await tx.query<{ id: MessageId }>(
          selected(search, sql`select id from (${unionOf(parts)}) page order by id`),
        )
      : [];
  const ids = rows.map(({ id }) => id);
  return { ids, ...ends(ids) };
}

interface FoundPage {
  search: MessageQuery | undefined;
  received: SubscriptionIntervals;
  anchor: number;
  /** Whether only older messages were asked for, or only newer ones. */
  isOneSided: boolean;
  /** Statements that select the ids, each id once. */
  parts: Sql[];
  /** Whether these ids of the page reach either end of the matches. */
  ends(ids: readonly number[]): Ends;
}

async function findPage(reader: Reader, tx: Queryable, request: PageRequest): Promise<FoundPage> {
  const { search, received } = await readNarrow(reader, tx, request.narrow);
  const time = new SearchTime();
  const anchor = await findAnchor(reader, tx, search, request.anchor, time);
  const isAtOldest = anchor === OLDEST_ANCHOR;
  const isAtNewest = anchor === NEWEST_ANCHOR;
  const before = isAtOldest ? 0 : request.before;
  const after = isAtNewest ? 0 : request.after;
  const scanned = async (isNeeded: boolean, idRange: IdRange) =>
    search && isNeeded ? [await prepareScan(tx, search, idRange, time)] : [];
  const older = await scanned(before > 0, { order: "desc", after: 0, before: clamp(anchor), limit: before });
  const same = await scanned(request.includeAnchor && !isAtOldest && !isAtNewest, {
    order: "asc",
    after: anchor - 1,
    before: anchor + 1,
    limit: 1,
  });
  const newer = await scanned(after > 0, {
    order: "asc",
    after: clamp(anchor),
    before: NO_LIMIT,
    limit: after,
  });
  return {
    search,
    received,
    anchor,
    isOneSided: older.length === 0 || newer.length === 0,
    parts: [...older, ...same, ...newer].map(({ statement }) => statement),
    ends(ids) {
      const { found: foundOldest, cutAt: searchedFrom } = endOf(
        older,
        ids.filter((id) => id < anchor).length,
        before,
      );
      const { found: foundNewest, cutAt: searchedTo } = endOf(
        newer,
        ids.filter((id) => id > anchor).length,
        after,
      );
      return {
        foundOldest: isAtOldest || foundOldest,
        foundNewest: isAtNewest || foundNewest,
        ...(searchedFrom !== undefined && { searchedFrom }),
        ...(searchedTo !== undefined && { searchedTo }),
      };
    },
  };
}

/** What the scan of one side, if there was one, says of its end, when it found so many of those asked for. */
function endOf(
  [part]: readonly PreparedScan[],
  count: number,
  asked: number,
): { found: boolean; cutAt: number | undefined } {
  if (count >= asked) return { found: false, cutAt: undefined };
  // A scan that was cut knows nothing of the messages beyond.
  return { found: part?.cutAt === undefined, cutAt: part?.cutAt };
}

/**
 * Returns those of these messages that match a narrow and that the reader may read. If their texts would be
 * too large, only the newest are returned.
 */
export async function fetchByIds(
  reader: Reader,
  tx: Queryable,
  ids: readonly number[],
  narrow: readonly Term[],
): Promise<Readable[]> {
  const { search, received } = await readNarrow(reader, tx, narrow, ids);
  if (!search) return [];
  const all = await prepareScan(tx, search, { order: "asc", after: -1, before: NO_LIMIT, limit: ids.length });
  const { rows } = await fetchParts(tx, search, [all.statement], boundOf(narrow, NEWEST_ANCHOR));
  return rows.map((row) => withReadState(row, reader.user?.id, received));
}

async function findAnchor(
  { state }: Reader,
  tx: Queryable,
  search: MessageQuery | undefined,
  anchor: Anchor,
  time: SearchTime,
): Promise<number> {
  if (typeof anchor === "number") return anchor;
  if (!search) return NEWEST_ANCHOR;
  if (anchor === "first_unread") return findFirst(tx, { ...search, path: { by: "unread" } }, 0, time);
  const first = await findFirstSince(tx, state.organizationId, anchor.since, state.position);
  // The anchor is the narrow's first match. The organization's first message may be one that the reader must
  // not know of.
  return first === undefined ? NEWEST_ANCHOR : findFirst(tx, search, first - 1, time);
}

async function findFirst(
  tx: Queryable,
  search: MessageQuery,
  after: number,
  time: SearchTime,
): Promise<number> {
  const first = await prepareScan(tx, search, { order: "asc", after, before: NO_LIMIT, limit: 1 }, time);
  const [row] = await tx.query<{ id: number }>(selected(search, first.statement));
  // If the scan was cut, the page goes on from there.
  return row?.id ?? first.cutAt ?? NEWEST_ANCHOR;
}

function boundOf(narrow: readonly Term[], anchor: number): Bound {
  return { anchor, bytes: hasSearch(narrow) ? MAX_HIGHLIGHTED_BYTES : MAX_PAGE_BYTES };
}

function fetchParts(tx: Queryable, search: MessageQuery, parts: readonly Sql[], bound: Bound) {
  const ids = selected(search, unionOf(parts));
  return listFetchedAround(tx, search.organizationId, search.userId, ids, bound);
}

/** Wraps scans in a statement. Narrows that people page through produce few different statement texts. */
function selected(search: MessageQuery, scans: Sql): Sql {
  const statement = sql`with ${rangeTable(search)} ${scans}`;
  return isPlain(search) ? prepare(statement) : statement;
}

function unionOf(parts: readonly Sql[]): Sql {
  return joinSql(
    parts.map((part) => sql`(${part})`),
    " union all ",
  );
}

/** Ids that a double can't represent exactly are so large that they can only mean "newer than all". */
function clamp(anchor: number): number {
  return Math.min(anchor, NO_LIMIT);
}
