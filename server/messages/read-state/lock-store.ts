import type { OrganizationId, UserId } from "../../../api/ids.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { lockClasses } from "../../platform/db/locks.ts";
import { prepare, type Sql, sql } from "../../platform/db/sql.ts";
import type { RowLocks } from "../../platform/log/grouped-change.ts";

const { readState, readPlaces, readMarks } = lockClasses;

/** How many locks the topics and conversations of an organization share. A place's is its id modulo this. */
export const PLACES = 64;

/** LOCK: shares those of these messages' places, and takes the person's marks, if that needs no waiting. */
export async function tryShareOf(
  tx: Queryable,
  organizationId: OrganizationId,
  userId: UserId,
  ids: readonly number[],
): Promise<{ isHeld: boolean; locks: number[] }> {
  const [row] = await tx.query<{ isHeld: boolean; locks: number[] }>(sql`
    select bool_and(pg_try_advisory_xact_lock_shared(class, (object % 2147483647)::int))
        and pg_try_advisory_xact_lock(${readMarks}::int, (${userId}::bigint % 2147483647)::int) as "isHeld",
      coalesce(array_agg(place) filter (where place is not null), '{}') as locks
    from (
      select ${readState}::int as class, ${organizationId}::bigint as object, null::bigint as place
      union all
      select ${readPlaces}::int, ${organizationId}::bigint * ${PLACES}::bigint + place, place from (
        select distinct coalesce(topic_id, recipient_id) % ${PLACES}::bigint as place from messages
        where organization_id = ${organizationId} and id = any(${ids}::bigint[])
      ) place
    ) lock`);
  return row as { isHeld: boolean; locks: number[] };
}

/** LOCK: shares those of all places, and takes the person's marks, if that needs no waiting. */
export async function tryShareAll(
  tx: Queryable,
  organizationId: OrganizationId,
  userId: UserId,
): Promise<boolean> {
  const [row] = await tx.query<{ isHeld: boolean }>(sql`
    select pg_try_advisory_xact_lock_shared(${readState}::int, (${organizationId}::bigint % 2147483647)::int)
      and pg_try_advisory_xact_lock(${readMarks}::int, (${userId}::bigint % 2147483647)::int)
      and bool_and(pg_try_advisory_xact_lock_shared(${readPlaces}::int,
        ((${organizationId}::bigint * ${PLACES}::bigint + place) % 2147483647)::int)) as "isHeld"
    from generate_series(0, ${PLACES - 1}::int) as place`);
  return row?.isHeld === true;
}

/** LOCK: waits for those of all places, in their order, and shares them. */
export async function shareAllPlacesOnce(tx: Queryable, organizationId: OrganizationId): Promise<void> {
  await tx.query(sql`
    select count(pg_advisory_xact_lock_shared(${readPlaces}::int,
      ((${organizationId}::bigint * ${PLACES}::bigint + place) % 2147483647)::int))
    from generate_series(0, ${PLACES - 1}::int) as place`);
}

/** LOCK: waits for those of these places, in their order, and holds them alone. */
export async function lockPlacesAlone(
  tx: Queryable,
  organizationId: OrganizationId,
  places: readonly number[],
): Promise<void> {
  const locks = [...new Set(places.map((place) => place % PLACES))].sort((a, b) => a - b);
  await tx.query(sql`
    select pg_advisory_xact_lock(${readPlaces}::int,
      ((${organizationId}::bigint * ${PLACES}::bigint + place) % 2147483647)::int)
    from unnest(${locks}::bigint[]) as place`);
}

/**
 * The places of messages whose read states a group of changes announces. It must come after the messages'
 * rows, which keep them in their places.
 */
export const readPlaceRows: RowLocks = {
  statement(organizationId, rows, waits) {
    // LOCK: as `lockPlacesAlone`. Without `waits`, messages in places that others hold are left out.
    const object = sql`((${organizationId}::bigint * ${PLACES}::bigint + place) % 2147483647)::int`;
    const isHeld = waits
      ? sql`pg_advisory_xact_lock(${readPlaces}::int, ${object}) is not null`
      : sql`pg_try_advisory_xact_lock(${readPlaces}::int, ${object})`;
    return prepare(sql`
      with asked as materialized (
        select m.id, m.place
        from unnest(${rows.map(({ id }) => id)}::bigint[]) as asked (id)
        cross join lateral (
          select id, coalesce(topic_id, recipient_id) % ${PLACES}::bigint as place from messages
          where organization_id = ${organizationId} and id = asked.id offset 0
        ) m
      ), held as materialized (
        select place, ${isHeld} as is_held
        from (select distinct place from asked order by place offset 0) in_order
      )
      select asked.id from asked join held on held.place = asked.place where held.is_held`);
  },
};

/** A message in whose place nothing moves to the commit. */
export interface SharedPlace {
  id: number;
  /** The lock of the place where it was before the locks were held; null: it is not there. */
  place: number | null;
}

/** The places of messages that a group of changes marks. Gives `SharedPlace`s. */
export const sharedPlaceRows: RowLocks = {
  statement(organizationId, rows, waits) {
    // LOCK: as `tryShareOf`. With `waits`, it waits for the organization's lock, and then for those of the
    // places in their order.
    const share = (lockClass: number, object: Sql) =>
      waits
        ? sql`pg_advisory_xact_lock_shared(${lockClass}::int, ${object}) is not null`
        : sql`pg_try_advisory_xact_lock_shared(${lockClass}::int, ${object})`;
    const object = sql`((${organizationId}::bigint * ${PLACES}::bigint + place) % 2147483647)::int`;
    const ids = [...new Set(rows.map(({ id }) => id))];
    return prepare(sql`
      with reading as materialized (
        select ${share(readState, sql`(${organizationId}::bigint % 2147483647)::int`)} as is_held
      ), asked as materialized (
        select asked.id, m.place
        from unnest(${ids}::bigint[]) as asked (id)
        left join lateral (
          select coalesce(topic_id, recipient_id) % ${PLACES}::bigint as place from messages
          where organization_id = ${organizationId} and id = asked.id offset 0
        ) m on true
      ), held as materialized (
        select place, ${share(readPlaces, object)} as is_held
        from (select distinct place from asked where place is not null order by place offset 0) in_order
        where (select is_held from reading)
      )
      select asked.id, asked.place from asked left join held on held.place = asked.place
      where (select is_held from reading) and (asked.place is null or held.is_held)`);
  },
};

/** The people whose read states a group of changes writes. It comes after `sharedPlaceRows`. */
export const markerRows: RowLocks = {
  statement(_, rows, waits) {
    // LOCK: alone, in the order of the people.
    const object = sql`(id % 2147483647)::int`;
    const isHeld = waits
      ? sql`pg_advisory_xact_lock(${readMarks}::int, ${object}) is not null`
      : sql`pg_try_advisory_xact_lock(${readMarks}::int, ${object})`;
    return prepare(sql`
      select id from (
        select id from unnest(${rows.map(({ id }) => id)}::bigint[]) as asked (id) order by id offset 0
      ) in_order
      where ${isHeld}`);
  },
};
