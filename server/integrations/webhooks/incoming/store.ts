import type { OrganizationId, UserId } from "../../../../api/ids.ts";
import type { Queryable } from "../../../platform/db/database.ts";
import { sql } from "../../../platform/db/sql.ts";

/**
 * Returns false if this delivery is known. A transaction that has the same one at this moment is waited for.
 */
export async function insertDelivery(
  tx: Queryable,
  organizationId: OrganizationId,
  userId: UserId,
  digest: Buffer,
): Promise<boolean> {
  const inserted = await tx.query(sql`
    insert into incoming_deliveries (organization_id, user_id, digest)
    values (${organizationId}, ${userId}, ${digest})
    on conflict do nothing returning 1`);
  return inserted.length > 0;
}

export async function deleteOldDeliveries(db: Queryable, keptHours: number): Promise<void> {
  await db.query(sql`
    delete from incoming_deliveries where received_at < now() - make_interval(hours => ${keptHours})`);
}
