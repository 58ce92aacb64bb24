/** What the index has of each organization's log: see `docs/search.md`. */
import type { MessageId, OrganizationId, Position } from "../../../api/ids.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { type Sql, sql } from "../../platform/db/sql.ts";
import { formatIntervals, type Interval, parseIntervals } from "./intervals.ts";

export interface Cursor {
  organizationId: OrganizationId;
  /** The log up to here is reflected, apart from the gaps. */
  followedTo: Position;
  /** The end of the log. */
  head: Position;
  /** Messages here are not in the index. */
  gaps: Interval[];
  /** Messages here are in the index without pairs of words. */
  withoutPairs: Interval[];
  /** Vocabulary up to this word was looked through; null: nothing changed since the last time. */
  prunedTo: string | null;
  /** Whether the vocabulary must be looked through once more. */
  prunesAgain: boolean;
  /** Whether some messages have old words in the index. */
  hasOutdated: boolean;
}

const columns = sql`c.organization_id as "organizationId", c.followed_to as "followedTo", l.head,
  c.gaps::text, c.without_pairs::text as "withoutPairs", c.pruned_to as "prunedTo", c.prunes_again as "prunesAgain",
  exists (select from search_outdated o where o.organization_id = c.organization_id) as "hasOutdated"`;

type Row = Omit<Cursor, "gaps" | "withoutPairs"> & { gaps: string; withoutPairs: string };

async function list(tx: Queryable, statement: Sql): Promise<Cursor[]> {
  const rows = await tx.query<Row>(statement);
  return rows.map((row) => ({
    ...row,
    gaps: parseIntervals(row.gaps),
    withoutPairs: parseIntervals(row.withoutPairs),
  }));
}

/** Undefined before anything was indexed. */
export async function findCursor(db: Queryable, organizationId: OrganizationId): Promise<Cursor | undefined> {
  const [cursor] = await list(
    db,
    sql`select ${columns} from search_cursors c
      join organization_logs l on l.organization_id = c.organization_id
      where c.organization_id = ${organizationId}`,
  );
  return cursor;
}

/** LOCK: the cursors, to the end of the transaction. Those that another transaction holds are left out. */
export async function lockCursors(
  tx: Queryable,
  organizationIds: readonly OrganizationId[],
): Promise<Cursor[]> {
  return list(
    tx,
    sql`select ${columns} from search_cursors c
      join organization_logs l on l.organization_id = c.organization_id
      where c.organization_id = any(${organizationIds}::bigint[])
      order by c.organization_id for update of c skip locked`,
  );
}

export async function insertCursors(
  tx: Queryable,
  organizationIds: readonly OrganizationId[],
): Promise<void> {
  await tx.query(sql`
    insert into search_cursors (organization_id, position)
    select id, 0 from unnest(${organizationIds}::bigint[]) as id order by id on conflict do nothing`);
}

export async function updateCursors(tx: Queryable, cursors: readonly Cursor[]): Promise<void> {
  await tx.query(sql`
    update search_cursors c set followed_to = changed.followed_to, position = changed.followed_to,
      gaps = changed.gaps::int8multirange, without_pairs = changed.without_pairs::int8multirange,
      pruned_to = changed.pruned_to, prunes_again = changed.prunes_again
    from unnest(${cursors.map((c) => c.organizationId)}::bigint[], ${cursors.map((c) => c.followedTo)}::bigint[],
      ${cursors.map(({ gaps }) => formatIntervals(gaps))}::text[],
      ${cursors.map((c) => formatIntervals(c.withoutPairs))}::text[], ${cursors.map((c) => c.prunedTo)}::text[],
      ${cursors.map((c) => c.prunesAgain)}::boolean[])
      as changed (organization_id, followed_to, gaps, without_pairs, pruned_to, prunes_again)
    where c.organization_id = changed.organization_id`);
}

/** After so many positions without an entry the cursor moves, so that the two do not drift apart for ever. */
const MAX_POSITIONS_WITHOUT_ENTRY = 500;

/** Whether a log `l` has entries after its cursor `c`. Heartbeats move the head without an entry. */
const hasNewEntries = sql`(
  exists (select from messages m where m.organization_id = l.organization_id and m.id > coalesce(c.followed_to, 0))
  or exists (
    select from events e where e.organization_id = l.organization_id and e.position > coalesce(c.followed_to, 0)
  ))`;

/** The organizations whose log has entries that the index does not reflect. */
export async function listBehind(db: Queryable): Promise<OrganizationId[]> {
  const rows = await db.query<{ id: OrganizationId }>(sql`
    select l.organization_id as id from organization_logs l
    left join search_cursors c on c.organization_id = l.organization_id
    where c.followed_to is null or c.followed_to < l.head
      and (l.head - c.followed_to >= ${MAX_POSITIONS_WITHOUT_ENTRY} or ${hasNewEntries})`);
  return rows.map(({ id }) => id);
}

/** The organizations that have gaps, or rows or words to look after. */
export async function listWithBacklog(db: Queryable): Promise<OrganizationId[]> {
  const rows = await db.query<{ id: OrganizationId }>(sql`
    select c.organization_id as id from search_cursors c
    where c.gaps <> '{}' or c.without_pairs <> '{}' or c.pruned_to is not null
      or exists (select from search_outdated o where o.organization_id = c.organization_id)`);
  return rows.map(({ id }) => id);
}

/** For each organization that is behind: the positions that are not indexed yet. Some are not messages. */
export async function listLags(
  db: Queryable,
): Promise<{ organizationId: OrganizationId; positions: number }[]> {
  return db.query(sql`
    select * from (
      select l.organization_id as "organizationId", (
        case when ${hasNewEntries} then greatest(l.head - coalesce(c.followed_to, 0), 0) else 0 end
        + coalesce((select sum(upper(gap) - lower(gap)) from unnest(c.gaps) as gap), 0)
        + (select count(*) from search_outdated o where o.organization_id = l.organization_id))::bigint as positions
      from organization_logs l left join search_cursors c on c.organization_id = l.organization_id
    ) lag where positions > 0 order by "organizationId"`);
}

export async function insertOutdated(
  tx: Queryable,
  rows: readonly { organizationId: OrganizationId; id: number }[],
): Promise<void> {
  await tx.query(sql`
    insert into search_outdated (organization_id, message_id)
    select * from unnest(${rows.map((row) => row.organizationId)}::bigint[], ${rows.map(({ id }) => id)}::bigint[])
    on conflict do nothing`);
}

export async function listOutdated(db: Queryable, organizationId: OrganizationId): Promise<MessageId[]> {
  const rows = await db.query<{ id: MessageId }>(sql`
    select message_id as id from search_outdated where organization_id = ${organizationId} order by message_id`);
  return rows.map(({ id }) => id);
}

/** Takes the newest ones off the list. */
export async function deleteOutdated(
  tx: Queryable,
  organizationId: OrganizationId,
  limit: number,
): Promise<MessageId[]> {
  const rows = await tx.query<{ id: MessageId }>(sql`
    delete from search_outdated where organization_id = ${organizationId} and message_id = any(array(
      select message_id from search_outdated where organization_id = ${organizationId}
      order by message_id desc limit ${limit}))
    returning message_id as id`);
  return rows.map(({ id }) => id);
}
