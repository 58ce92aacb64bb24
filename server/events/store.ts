import type { OrganizationId, Position, UserId } from "../../api/ids.ts";
import type { Queryable } from "../db/database.ts";
import { sql } from "../db/sql.ts";
import type { Audience, Entry, EventPayload, StatePatch } from "./entry.ts";
import { entry } from "./entry.ts";
import type { QueueOptions } from "./queue.ts";

export interface Heads {
  head: Position;
  stateHead: Position;
}

export async function readHeads(db: Queryable, organizationId: OrganizationId): Promise<Heads> {
  const [row] = await db.query<{ head: Position; state_head: Position }>(
    sql`select head, state_head from organization_logs where organization_id = ${organizationId}`,
  );
  if (!row) throw new Error(`organization ${organizationId} has no log`);
  return { head: row.head, stateHead: row.state_head };
}

export interface NewEvent {
  payload: EventPayload;
  audience: Audience;
  state: StatePatch | undefined;
}

/**
 * Gives out positions and writes the events; nothing but rows that are entries themselves is written after it.
 * LOCK: the organization's row in organization_logs, from here to the commit.
 * `expectedStateHead`: write only if the nodes' memory has not changed since; undefined, when the caller holds the state
 * lock. Returns undefined when it has.
 */
export async function appendEvents(
  tx: Queryable,
  organizationId: OrganizationId,
  events: readonly NewEvent[],
  options: {
    /** Further positions, behind the events, for entries that the caller writes. */
    rowCount: number;
    mark: number | undefined;
    expectedStateHead: Position | undefined;
    node: string;
  },
): Promise<{ base: Position; head: Position } | undefined> {
  const count = events.length + options.rowCount;
  const lastState = events.findLastIndex((event) => event.state !== undefined) + 1;
  const [row] = await tx.query<{ base: Position; head: Position }>(sql`
    with log as (
      update organization_logs
      set head = head + ${count}::int,
        state_head = case when ${lastState}::int > 0 then head + ${lastState}::int else state_head end
      where organization_id = ${organizationId}
        and (${options.expectedStateHead ?? null}::bigint is null or state_head = ${options.expectedStateHead ?? null})
      returning head - ${count}::int as base, head
    ), written as (
      insert into events (organization_id, position, type, payload, audience, state)
      select ${organizationId}, log.base + e.ordinality, e.type, e.payload::jsonb, e.audience::jsonb, e.state::jsonb
      from log, unnest(
        ${events.map((event) => event.payload.type)}::text[],
        ${events.map((event) => JSON.stringify(event.payload))}::text[],
        ${events.map((event) => JSON.stringify(event.audience))}::text[],
        ${events.map((event) => (event.state ? JSON.stringify(event.state) : null))}::text[]
      ) with ordinality as e (type, payload, audience, state, ordinality)
    ), marked as (
      insert into log_marks (organization_id, id, position)
      select ${organizationId}, ${options.mark ?? null}, log.head from log where ${options.mark ?? null}::bigint is not null
    )
    select log.base, log.head,
      pg_notify('parley_log', ${organizationId}::text || ':' || log.head || ':' || ${options.node}::text)
    from log`);
  return row;
}

export async function nextMark(tx: Queryable): Promise<number> {
  const [row] = await tx.query<{ id: number }>(sql`select nextval('log_mark_ids') as id`);
  return (row as { id: number }).id;
}

/** Moves the head without an entry, so that a heartbeat has an id of its own. */
export async function advanceHead(db: Queryable, organizationId: OrganizationId): Promise<Position> {
  const [row] = await db.query<{ head: Position }>(
    sql`update organization_logs set head = head + 1 where organization_id = ${organizationId} returning head`,
  );
  return (row as { head: Position }).head;
}

/** LOCK: changes of who may do what, one after another in an organization. Sends don't take it. */
export async function lockState(tx: Queryable, organizationId: OrganizationId): Promise<void> {
  await tx.query(sql`select pg_advisory_xact_lock(7201, ${organizationId}::int)`);
}

export async function readEvents(
  tx: Queryable,
  organizationId: OrganizationId,
  after: Position,
  upTo: Position,
  limit: number,
): Promise<Entry[]> {
  const rows = await tx.query<{
    position: Position;
    payload: EventPayload;
    audience: Audience;
    state: StatePatch | null;
  }>(sql`
    select position, payload, audience, state from events
    where organization_id = ${organizationId} and position > ${after} and position <= ${upTo}
    order by position limit ${limit}`);
  return rows.map((row) => entry(row.position, row.payload, row.audience, row.state ?? undefined));
}

export interface QueueRow {
  id: string;
  userId: UserId;
  cursor: Position;
  startedAt: Position;
  options: QueueOptions;
  lifespanSeconds: number;
  lastSeenAt: Date;
}

export async function insertQueue(
  tx: Queryable,
  organizationId: OrganizationId,
  row: QueueRow,
): Promise<void> {
  await tx.query(sql`
    insert into event_queues (organization_id, id, user_id, cursor, started_at, options, lifespan_seconds, last_seen_at)
    values (${organizationId}, ${row.id}, ${row.userId}, ${row.cursor}, ${row.startedAt}, ${JSON.stringify(row.options)},
      ${row.lifespanSeconds}, ${row.lastSeenAt})`);
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

/** Saves what moved since the last saving. Returns the ids whose rows are still there. */
export async function updateQueues(
  db: Queryable,
  organizationId: OrganizationId,
  rows: readonly { id: string; cursor: Position; lastSeenAt: number }[],
): Promise<Set<string>> {
  const saved = await db.query<{ id: string }>(sql`
    update event_queues q
    set cursor = greatest(q.cursor, moved.cursor), last_seen_at = greatest(q.last_seen_at, moved.last_seen_at)
    from unnest(${rows.map((row) => row.id)}::uuid[], ${rows.map((row) => row.cursor)}::bigint[],
      ${rows.map((row) => new Date(row.lastSeenAt))}::timestamptz[]) as moved (id, cursor, last_seen_at)
    where q.organization_id = ${organizationId} and q.id = moved.id
    returning q.id`);
  return new Set(saved.map((row) => row.id));
}

export async function deleteQueue(db: Queryable, organizationId: OrganizationId, id: string): Promise<void> {
  await db.query(sql`delete from event_queues where organization_id = ${organizationId} and id = ${id}`);
}

export async function deleteQueuesOfUser(
  db: Queryable,
  organizationId: OrganizationId,
  userId: UserId,
): Promise<void> {
  await db.query(
    sql`delete from event_queues where organization_id = ${organizationId} and user_id = ${userId}`,
  );
}

/** Deletes what nobody has asked for within its lifespan (spec Events 2). */
export async function deleteIdleQueues(db: Queryable): Promise<void> {
  await db.query(
    sql`delete from event_queues where last_seen_at < now() - make_interval(secs => lifespan_seconds)`,
  );
}
