import type { OrganizationId, UserId } from "../../../api/ids.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { sql } from "../../platform/db/sql.ts";

export async function listGuestContacts(
  tx: Queryable,
  organizationId: OrganizationId,
): Promise<{ guestId: UserId; userId: UserId }[]> {
  return tx.query(sql`
    select guest_id as "guestId", user_id as "userId" from guest_contacts
    where organization_id = ${organizationId}`);
}

/** Those that are there already are left out. */
export async function insertGuestContacts(
  tx: Queryable,
  organizationId: OrganizationId,
  contacts: readonly (readonly [guestId: UserId, userId: UserId])[],
): Promise<void> {
  const guestIds = contacts.map(([guestId]) => guestId);
  const userIds = contacts.map(([, userId]) => userId);
  await tx.query(sql`
    insert into guest_contacts (organization_id, guest_id, user_id)
    select ${organizationId}, guest_id, user_id
    from unnest(${guestIds}::bigint[], ${userIds}::bigint[]) as contact (guest_id, user_id)
    on conflict do nothing`);
}
