import type { OrganizationId } from "../../../api/ids.ts";
import { int8Array } from "../../platform/db/array.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { type Sql, sql } from "../../platform/db/sql.ts";
import type { Presence, WrittenPresence } from "./presences.ts";

/**
 * The clocks of two machines differ by less. What is further ahead was noted while a clock was wrong. Without
 * this limit people would count as there until that time has come.
 */
export const MAX_AHEAD_MS = 60_000;

export interface OrganizationPresence extends WrittenPresence {
  organizationId: OrganizationId;
}

const columns = sql`p.user_id as "userId", p.update_id as "updateId",
  coalesce(extract(epoch from p.last_active_at) * 1000, 0)::bigint as "activeAt",
  (extract(epoch from p.last_connected_at) * 1000)::bigint as "connectedAt"`;

export async function listPresences(
  tx: Queryable,
  organizationId: OrganizationId,
): Promise<WrittenPresence[]> {
  return tx.query(sql`
    select ${columns} from presences p where p.organization_id = ${organizationId}
    order by p.update_id, p.user_id`);
}

/** The rows of batches after the newest one that is known of each organization. */
export async function listPresencesSince(
  tx: Queryable,
  since: readonly { organizationId: OrganizationId; updateId: number }[],
): Promise<OrganizationPresence[]> {
  return tx.query(sql`
    select o.id as "organizationId", ${columns}
    from unnest(${int8Array(since.map(({ organizationId }) => organizationId))}::bigint[],
      ${int8Array(since.map(({ updateId }) => updateId))}::bigint[]) as o (id, update_id)
    cross join lateral (
      select * from presences where organization_id = o.id and update_id > o.update_id offset 0
    ) p
    order by p.update_id, p.user_id`);
}

/** For the lead of a transaction: its commit does not wait for the disk. */
export const withoutFlush: Sql = sql`select set_config('synchronous_commit', 'off', true)`;

/**
 * Writes one batch for each organization, and returns its id. The id is the time in milliseconds, so that ids
 * grow after a crash that lost batches, and after a restored backup. It is more than every id before it, also
 * when the clock was set back. LOCK: the caller holds the lock of presence, so that a batch that can be seen
 * is newer than all others that can.
 */
export async function writeBatches(
  tx: Queryable,
  changed: readonly { organizationId: OrganizationId; presences: readonly Presence[] }[],
): Promise<{ organizationId: OrganizationId; updateId: number }[]> {
  const rows = changed.flatMap(({ organizationId, presences }) =>
    presences.map((presence) => ({ ...presence, organizationId })),
  );
  // A time that is later was written by a node whose clock was wrong.
  const soon = sql`clock_timestamp() + make_interval(secs => ${MAX_AHEAD_MS / 1000})`;
  return tx.query(sql`
    with batch as materialized (
      select o.id as organization_id, greatest(
        (extract(epoch from clock_timestamp()) * 1000)::bigint,
        (select max(update_id) + 1 from presences where organization_id = o.id)
      ) as update_id
      from unnest(${int8Array(changed.map(({ organizationId }) => organizationId))}::bigint[]) as o (id)
    ), written as (
      insert into presences as p (organization_id, user_id, last_active_at, last_connected_at, update_id)
      select r.organization_id, r.user_id, to_timestamp(nullif(r.active, 0) / 1000.0), to_timestamp(r.connected / 1000.0),
        b.update_id
      from unnest(${int8Array(rows.map(({ organizationId }) => organizationId))}::bigint[],
        ${int8Array(rows.map(({ userId }) => userId))}::bigint[],
        ${int8Array(rows.map(({ activeAt }) => activeAt))}::bigint[],
        ${int8Array(rows.map(({ connectedAt }) => connectedAt))}::bigint[]) as r (organization_id, user_id, active, connected)
      join batch b on b.organization_id = r.organization_id
      on conflict (organization_id, user_id) do update set
        last_active_at = greatest(case when p.last_active_at < ${soon} then p.last_active_at end,
          excluded.last_active_at),
        last_connected_at = greatest(case when p.last_connected_at < ${soon} then p.last_connected_at end,
          excluded.last_connected_at),
        update_id = excluded.update_id
    )
    select organization_id as "organizationId", update_id as "updateId" from batch`);
}
