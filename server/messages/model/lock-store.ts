import type { OrganizationId } from "../../../api/ids.ts";
import { lockClasses, lockObject } from "../../platform/db/locks.ts";
import { prepare, sql } from "../../platform/db/sql.ts";
import type { LockedRow, RowLocks } from "../../platform/log/grouped-change.ts";
import { additionsOf } from "./store.ts";

/** Keeps others from deleting the message. */
export const againstDeletion = "deletion";
/** Keeps others from changing the message too, and from adding to it. */
export const toAddTo = "addition";
/** Keeps others from changing or deleting the message. */
export const toChange = "change";

/** Messages that a group of changes edits, adds to or refers to. */
export const messageRows: RowLocks = {
  statement(organizationId, rows, waits) {
    const { ids, turns, areChanged } = strongest(organizationId, rows);
    // LOCK: first the turns to add, as in `lockMessageForAdding`, in the order of their numbers. Then the
    // messages, in the order of their ids. The lateral look-ups run for one row after the other.
    const turn = waits ? waitForTurn : tryTurn;
    const skip = waits ? sql`` : sql`skip locked`;
    // Groups without an edit are many, and have no look-up for one.
    const isChanging = areChanged.includes(true);
    const message = sql`select id from messages where organization_id = ${organizationId} and id = asked.id`;
    // What is gone is not held, so its change is decided at once.
    const isGone = sql`not exists (${message} offset 0)`;
    return prepare(sql`
      with turn as materialized (
        select id, turn is not null as is_added_to, is_changed,
          case when turn is null then true else ${turn} end as is_held
        from (
          select * from unnest(${ids}::bigint[], ${turns}::int[], ${areChanged}::boolean[])
            as asked (id, turn, is_changed) order by turn, id
        ) in_order
      ), asked as materialized (
        select id, is_added_to, is_changed from turn where is_held order by id
      )
      select asked.id from asked
      ${isChanging ? sql`left join lateral (${message} and asked.is_changed for update ${skip}) changed on true` : sql``}
      left join lateral (${message} and not asked.is_changed and asked.is_added_to for share ${skip}) added_to on true
      left join lateral (
        ${message} and not asked.is_changed and not asked.is_added_to for key share ${skip}
      ) referred_to on true
      where ${isChanging ? sql`changed.id is not null or` : sql``} added_to.id is not null or referred_to.id is not null
        or ${isGone}`);
  },
};

const tryTurn = sql`pg_try_advisory_xact_lock(${lockClasses.additions}::int, turn)`;
const waitForTurn = sql`pg_advisory_xact_lock(${lockClasses.additions}::int, turn) is not null`;

/** Each message once. `turns`: the object of the lock of additions; null for one that nothing is added to. */
function strongest(
  organizationId: OrganizationId,
  rows: readonly LockedRow[],
): { ids: number[]; turns: (number | null)[]; areChanged: boolean[] } {
  const turns = new Map<number, number | null>();
  const changed = new Set<number>();
  for (const { id, mode } of rows) {
    if (mode === toChange) changed.add(id);
    if (mode === toAddTo) turns.set(id, lockObject(additionsOf(organizationId, id)));
    else if (!turns.has(id)) turns.set(id, null);
  }
  const ids = [...turns.keys()];
  return { ids, turns: [...turns.values()], areChanged: ids.map((id) => changed.has(id)) };
}
