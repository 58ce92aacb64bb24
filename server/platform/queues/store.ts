import type { OrganizationId, Position, UserId } from "../../../api/ids.ts";
import type { Queryable } from "../db/database.ts";
import { type Sql, sql } from "../db/sql.ts";
import type { QueueOptions } from "./queue.ts";

export interface QueueRow {
  id: string;
  userId: UserId;
  cursor: Position;
  startedAt: Position;
  options: QueueOptions;
  lifespanSeconds: number;
  lastSeenAt: Date;
}

export function queueInsert(organizationId: OrganizationId, row: Omit<QueueRow, "lastSeenAt">): Sql {
  return sql`
    insert into event_queues (organization_id, id, user_id, cursor, started_at, options, lifespan_seconds)
    values (${organizationId}, ${row.id}, ${row.userId}, ${row.cursor}, ${row.startedAt}, ${JSON.stringify(row.options)},
      ${row.lifespanSeconds})`;
}

export async function findQueue(
  db: Queryable,
  organizationId: OrganizationId,
  id: string,
): Promise<QueueRow | undefined> {
  const [row] = await db.query<QueueRow>(sql`
    select id, user_id as "userId", cursor, started_at as "startedAt", options, lifespan_seconds as "lifespanSeconds",
      last_seen_at as "lastSeenAt"
    from event_queues where organization_id = ${organizationId} and id = ${id}`);
  return row;
}

export interface SavedQueue {
  id: string;
  cursor: Position;
  /** False where another transaction holds the row, perhaps to delete it. */
  isSaved: boolean;
}

/**
 * Saves cursors and last-seen times. Returns the rows that still exist. A returned cursor that is ahead of
 * the given one was moved by another node. A row that is locked is left out, since this statement must not
 * wait: other statements share its connection. Times are passed as ages and added to the database's clock, so
 * that a node with a wrong clock can't make queues look idle.
 */
export async function updateQueues(
  db: Queryable,
  organizationId: OrganizationId,
  rows: readonly { id: string; cursor: Position; lastSeenAt: number }[],
  now: number,
): Promise<Map<string, SavedQueue>> {
  const ids = rows.map((row) => row.id);
  const saved = await db.query<SavedQueue>(sql`
    with free as (
      select id from event_queues where organization_id = ${organizationId} and id = any(${ids}::uuid[])
      for no key update skip locked
    ), saved as (
      update event_queues q
      set cursor = greatest(q.cursor, moved.cursor),
        last_seen_at = greatest(q.last_seen_at, now() - make_interval(secs => moved.age))
      from unnest(${ids}::uuid[], ${rows.map((row) => row.cursor)}::bigint[],
        ${rows.map((row) => (now - row.lastSeenAt) / 1000)}::float8[]) as moved (id, cursor, age)
      join free on free.id = moved.id
      where q.organization_id = ${organizationId} and q.id = moved.id
      returning q.id, q.cursor
    )
    select id, cursor, true as "isSaved" from saved
    union all
    select id, cursor, false from event_queues
    where organization_id = ${organizationId} and id = any(${ids}::uuid[]) and id not in (select id from free)`);
  return new Map(saved.map((row) => [row.id, row]));
}

export async function listOrganizationsWithQueues(db: Queryable): Promise<OrganizationId[]> {
  const rows = await db.query<{ id: OrganizationId }>(
    sql`select distinct organization_id as id from event_queues`,
  );
  return rows.map(({ id }) => id);
}

/** The users' queues beyond `limit`, those that were seen last not counted. */
export async function listExcessQueues(
  db: Queryable,
  organizationId: OrganizationId,
  userIds: readonly UserId[],
  limit: number,
): Promise<string[]> {
  const rows = await db.query<{ id: string }>(sql`
    select id from event_queues
    where organization_id = ${organizationId} and user_id = any(${userIds}::bigint[])
    order by last_seen_at desc, id offset ${limit}`);
  return rows.map(({ id }) => id);
}

export async function deleteQueue(db: Queryable, organizationId: OrganizationId, id: string): Promise<void> {
  await db.query(sql`delete from event_queues where organization_id = ${organizationId} and id = ${id}`);
}

export async function deleteQueuesOf(
  db: Queryable,
  organizationId: OrganizationId,
  userIds: readonly UserId[],
): Promise<void> {
  await db.query(sql`
    delete from event_queues where organization_id = ${organizationId} and user_id = any(${userIds}::bigint[])`);
}

export async function deleteAllQueues(db: Queryable, organizationId: OrganizationId): Promise<void> {
  await db.query(sql`delete from event_queues where organization_id = ${organizationId}`);
}

/** Deletes queues that were not polled within their lifespan (spec Events 2). */
export async function deleteIdleQueues(db: Queryable): Promise<void> {
  await db.query(
    sql`delete from event_queues where last_seen_at < now() - make_interval(secs => lifespan_seconds)`,
  );
}
