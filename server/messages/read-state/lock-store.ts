import type { OrganizationId } from "../../../api/ids.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { lockClasses } from "../../platform/db/locks.ts";
import { prepare, sql } from "../../platform/db/sql.ts";
import type { RowLocks } from "../../platform/log/grouped-change.ts";

const { readState, readPlaces } = lockClasses;

/** How many locks the topics and conversations of an organization share. A place's is its id modulo this. */
export const PLACES = 64;

/** LOCK: shares those of these messages' places, if that needs no waiting. */
export async function tryShareOf(
  tx: Queryable,
  organizationId: OrganizationId,
  ids: readonly number[],
): Promise<{ isHeld: boolean; locks: number[] }> {
  const [row] = await tx.query<{ isHeld: boolean; locks: number[] }>(sql`
    select bool_and(pg_try_advisory_xact_lock_shared(class, (object % 2147483647)::int)) as "isHeld",
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

/** LOCK: shares those of all places, if that needs no waiting. */
export async function tryShareAll(tx: Queryable, organizationId: OrganizationId): Promise<boolean> {
  const [row] = await tx.query<{ isHeld: boolean }>(sql`
    select pg_try_advisory_xact_lock_shared(${readState}::int, (${organizationId}::bigint % 2147483647)::int)
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
