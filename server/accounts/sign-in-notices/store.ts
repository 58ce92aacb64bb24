import type { OrganizationId, UserId } from "../../../api/ids.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { sql } from "../../platform/db/sql.ts";

/** Notes that a person signed in from a device. Returns how many they had before, and whether it is new. */
export async function upsertDevice(
  tx: Queryable,
  organizationId: OrganizationId,
  userId: UserId,
  deviceHash: Buffer,
): Promise<{ isNew: boolean; earlier: number }> {
  const [row] = await tx.query<{ isNew: boolean; earlier: number }>(sql`
    with earlier as materialized (
      select count(*)::int as count from known_devices
      where organization_id = ${organizationId} and user_id = ${userId}
    ), written as (
      insert into known_devices (organization_id, user_id, device_hash)
      values (${organizationId}, ${userId}, ${deviceHash})
      on conflict (organization_id, user_id, device_hash) do update set seen_at = now()
      returning (xmax = 0) as is_new
    )
    select written.is_new as "isNew", earlier.count as earlier from written cross join earlier`);
  return row ?? { isNew: false, earlier: 0 };
}

/** Forgets those from which nobody has signed in for longest. */
export async function deleteOldDevices(
  tx: Queryable,
  organizationId: OrganizationId,
  userId: UserId,
  kept: number,
): Promise<void> {
  await tx.query(sql`
    delete from known_devices
    where organization_id = ${organizationId} and user_id = ${userId} and device_hash in (
      select device_hash from known_devices
      where organization_id = ${organizationId} and user_id = ${userId}
      order by seen_at desc, device_hash offset ${kept})`);
}
