import type { OrganizationId, Position } from "../../../api/ids.ts";
import type { Queryable } from "../db/database.ts";
import { lockClasses, type SessionLock, sessionLock, shareQuery } from "../db/locks.ts";
import { prepare, type Sql, sql } from "../db/sql.ts";
import type { Audience, EventPayload, LogEntry, StatePatch } from "./log-entry.ts";
import { logEntry } from "./log-entry.ts";

export interface Heads {
  head: Position;
  stateHead: Position;
  /** Another epoch means another log: the database was restored. */
  epoch: string;
}

/**
 * Finds an organization's row for the update that each commit makes. Its key changes with each 1,024
 * positions, and the newest is looked for from its end of the index. So the update meets no more versions
 * than one key had, however long somebody's snapshot keeps them all.
 */
export function newestLogRow(organizationId: unknown): Sql {
  return sql`organization_id = ${organizationId} and stretch >= (
    select stretch from organization_logs where organization_id = ${organizationId} order by stretch desc limit 1)`;
}

/** For transactions that send the statement together with others: `headsOf` reads its result. */
export function headsQuery(organizationId: OrganizationId): Sql {
  return sql`
    select head, state_head as "stateHead", epoch from organization_logs where organization_id = ${organizationId}
    order by stretch desc limit 1`;
}

export function headsOf(rows: readonly unknown[] | undefined): Heads {
  const [row] = (rows ?? []) as readonly Heads[];
  if (!row) throw new Error("the organization has no log");
  return row;
}

export async function readHeads(db: Queryable, organizationId: OrganizationId): Promise<Heads> {
  return headsOf(await db.query(headsQuery(organizationId)));
}

export async function listHeads(
  db: Queryable,
  organizationIds: readonly OrganizationId[],
): Promise<{ organizationId: OrganizationId; head: Position; epoch: string }[]> {
  return db.query(sql`
    select log.* from unnest(${organizationIds}::bigint[]) as asked (id)
    cross join lateral (
      select organization_id as "organizationId", head, epoch from organization_logs
      where organization_id = asked.id order by stretch desc limit 1
    ) as log`);
}

export interface NewEvent {
  payload: EventPayload;
  audience: Audience;
  statePatch: StatePatch | undefined;
  /** Whether the event changes memory that commits depend on. */
  isBinding: boolean;
}

/**
 * The statement that assigns positions and writes the events. After it, a transaction writes only rows that
 * are entries themselves. Its row is a `LogRange`.
 *
 * `expectedStateHead`: the statement fails with `STALE_MEMORY` if the nodes' memory has changed since that
 * position. A caller that holds the state lock passes undefined.
 * LOCK: the organization's row in organization_logs, from here to the commit.
 */
export async function appendStatement(
  tx: Queryable,
  organizationId: OrganizationId,
  events: readonly NewEvent[],
  options: {
    /** Further positions, after those of the events, for entries that the caller writes. */
    rowCount: number;
    positionRef: number | undefined;
    expectedStateHead: Position | undefined;
  },
): Promise<Sql> {
  const texts = textsOf(events);
  const place: Place = {
    count: events.length,
    rowCount: options.rowCount,
    lastState: events.findLastIndex((event) => event.isBinding) + 1,
    positionRef: options.positionRef ?? null,
    expectedStateHead: options.expectedStateHead ?? null,
  };
  if (!isHeavy(texts)) return writeEvents(organizationId, texts, place);
  return placeEvents(organizationId, await insertAhead(tx, organizationId, texts), place);
}

/** PostgreSQL's code for what `stale_memory()` raises. */
export const STALE_MEMORY = "PA001";

/**
 * What a transaction takes of the log: `count` events and then `rowCount` rows. The event with the number
 * `lastState`, counted from 1, is the last that changes memory; 0 if none does.
 */
interface Place {
  count: number;
  rowCount: number;
  lastState: number;
  positionRef: number | null;
  expectedStateHead: Position | null;
}

/** The positions that a transaction took: those after `base`, up to `head`. */
export interface LogRange {
  base: Position;
  head: Position;
}

/** For a CTE `log` of at most one row. */
const logRange = sql`select coalesce((select base from log), stale_memory()) as base, (select head from log) as head`;

function writeEvents(
  organizationId: OrganizationId,
  { types, payloads, audiences, states }: Texts,
  { count, rowCount, lastState, positionRef, expectedStateHead }: Place,
): Sql {
  return prepare(sql`
    with log as (
      update organization_logs
      set head = head + ${count + rowCount}::int,
        state_head = case when ${lastState}::int > 0 then head + ${lastState}::int else state_head end
      where ${newestLogRow(organizationId)}
        and (${expectedStateHead}::bigint is null or state_head = ${expectedStateHead})
      returning head - ${count + rowCount}::int as base, head
    ), written as (
      insert into events (organization_id, position, type, payload, audience, state)
      select ${organizationId}, log.base + e.ordinality, e.type, e.payload::jsonb, e.audience::jsonb, e.state::jsonb
      from log, unnest(${types}::text[], ${payloads}::text[], ${audiences}::text[], ${states}::text[])
        with ordinality as e (type, payload, audience, state, ordinality)
    ), referenced as (
      insert into log_positions (organization_id, id, position)
      select ${organizationId}, ${positionRef}, log.base + ${count}::int from log where ${positionRef}::bigint is not null
    )
    ${logRange}`);
}

/** Writes an event at a position that the transaction has reserved. It must not change memory. */
export async function insertEventAt(
  tx: Queryable,
  organizationId: OrganizationId,
  position: Position,
  { payload, audience }: Pick<NewEvent, "payload" | "audience">,
): Promise<void> {
  await tx.query(sql`
    insert into events (organization_id, position, type, payload, audience)
    values (${organizationId}, ${position}, ${payload.type}, ${JSON.stringify(payload)}::jsonb,
      ${JSON.stringify(audience)}::jsonb)`);
}

/** Events as they are written, by column. */
interface Texts {
  types: string[];
  payloads: string[];
  audiences: string[];
  states: (string | null)[];
}

function textsOf(events: readonly NewEvent[]): Texts {
  return {
    types: events.map((event) => event.payload.type),
    payloads: events.map((event) => JSON.stringify(event.payload)),
    audiences: events.map((event) => JSON.stringify(event.audience)),
    states: events.map((event) => (event.statePatch ? JSON.stringify(event.statePatch) : null)),
  };
}

/** To parse and compress a text of this length takes longer than to write a row twice. */
const HEAVY_LENGTH = 8000;

function isHeavy({ payloads, audiences, states }: Texts): boolean {
  return [payloads, audiences, states].some((texts) =>
    texts.some((text) => (text?.length ?? 0) > HEAVY_LENGTH),
  );
}

/**
 * Events that name thousands of people are written before the log's lock is taken, at negative positions that
 * no reader asks for. PostgreSQL later moves such rows without a rewrite of their large values. So the lock
 * is held no longer than for small events.
 */
async function insertAhead(
  tx: Queryable,
  organizationId: OrganizationId,
  texts: Texts,
): Promise<readonly number[]> {
  const rows = await tx.query<{ position: number }>(sql`
    insert into events (organization_id, position, type, payload, audience, state)
    select ${organizationId}, -nextval('log_position_ids'), e.type, e.payload::jsonb, e.audience::jsonb, e.state::jsonb
    from unnest(
      ${texts.types}::text[], ${texts.payloads}::text[], ${texts.audiences}::text[], ${texts.states}::text[]
    ) with ordinality as e (type, payload, audience, state, ordinality)
    order by e.ordinality
    returning position`);
  return rows.map(({ position }) => position);
}

/**
 * `writeEvents` for events that `insertAhead` wrote. One statement too, since every sender waits for the
 * lock.
 */
function placeEvents(
  organizationId: OrganizationId,
  ahead: readonly number[],
  { count, rowCount, lastState, positionRef, expectedStateHead }: Place,
): Sql {
  return prepare(sql`
    with log as (
      update organization_logs
      set head = head + ${count + rowCount}::int,
        state_head = case when ${lastState}::int > 0 then head + ${lastState}::int else state_head end
      where ${newestLogRow(organizationId)}
        and (${expectedStateHead}::bigint is null or state_head = ${expectedStateHead})
      returning head - ${count + rowCount}::int as base, head
    ), placed as (
      update events e set position = log.base + place.ordinality
      from log, unnest(${ahead}::bigint[]) with ordinality as place (position, ordinality)
      where e.organization_id = ${organizationId} and e.position = place.position
    ), referenced as (
      insert into log_positions (organization_id, id, position)
      select ${organizationId}, ${positionRef}, log.base + ${count}::int from log where ${positionRef}::bigint is not null
    )
    ${logRange}`);
}

/** Numbers are taken in blocks of this size, so that most transactions need no query for theirs. */
const POSITION_REFS = 100;

export async function takePositionRefs(tx: Queryable): Promise<number[]> {
  const rows = await tx.query<{ id: number }>(
    sql`select nextval('log_position_ids') as id from generate_series(1, ${POSITION_REFS}::int)`,
  );
  return rows.map(({ id }) => id);
}

/**
 * Moves heads by one without an entry, so that heartbeats get fresh ids. Returns the new heads. A log that
 * another transaction is writing to is left out, since this statement must not wait: other organizations'
 * senders would wait for it.
 */
export async function advanceHeads(
  db: Queryable,
  organizationIds: readonly OrganizationId[],
): Promise<Map<OrganizationId, Position>> {
  const rows = await db.query<{ id: OrganizationId; head: Position }>(sql`
    with free as (
      select organization_id from organization_logs where organization_id = any(${organizationIds}::bigint[])
      for no key update skip locked
    )
    update organization_logs l set head = l.head + 1 from free where l.organization_id = free.organization_id
    returning l.organization_id as id, l.head`);
  return new Map(rows.map(({ id, head }) => [id, head]));
}

/** LOCK: the organization's state changes, which run one after another. Sends don't take it. */
export function stateLock(organizationId: OrganizationId): SessionLock {
  return sessionLock(lockClasses.state, organizationId);
}

/** LOCK: no state change runs until the commit. Content changes may share the lock. */
export function sharedStateLock(organizationId: OrganizationId): Sql {
  return shareQuery(lockClasses.state, organizationId);
}

export async function readEvents(
  tx: Queryable,
  organizationId: OrganizationId,
  after: Position,
  upTo: Position,
  limit: number,
): Promise<LogEntry[]> {
  const rows = await tx.query<{
    position: Position;
    payload: EventPayload;
    audience: Audience;
    state: StatePatch | null;
  }>(sql`
    select position, payload, audience, state from events
    where organization_id = ${organizationId} and position > ${after} and position <= ${upTo}
    order by position limit ${limit}`);
  return rows.map((row) => logEntry(row.position, row.payload, row.audience, row.state ?? undefined));
}
