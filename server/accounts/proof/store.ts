import type { OrganizationId, UserId } from "../../../api/ids.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { sql } from "../../platform/db/sql.ts";

export async function insertFormerAddress(
  tx: Queryable,
  organizationId: OrganizationId,
  { userId, address, days }: { userId: UserId; address: string; days: number },
): Promise<void> {
  await tx.query(sql`
    insert into former_addresses (organization_id, user_id, address, until)
    values (${organizationId}, ${userId}, ${address}, now() + make_interval(days => ${days}))
    on conflict (organization_id, user_id, address) do update set until = excluded.until`);
}

export async function listFormerAddresses(
  tx: Queryable,
  organizationId: OrganizationId,
  userId: UserId,
): Promise<string[]> {
  const rows = await tx.query<{ address: string }>(sql`
    select address from former_addresses
    where organization_id = ${organizationId} and user_id = ${userId} and until > now()
    order by until, address`);
  return rows.map(({ address }) => address);
}

/** Deletes all of a person but those that end first. */
export async function deleteSurplusAddresses(
  tx: Queryable,
  organizationId: OrganizationId,
  userId: UserId,
  limit: number,
): Promise<void> {
  await tx.query(sql`
    delete from former_addresses
    where organization_id = ${organizationId} and user_id = ${userId} and address in (
      select address from former_addresses
      where organization_id = ${organizationId} and user_id = ${userId}
      order by until, address offset ${limit}
    )`);
}

/** Those of all organizations whose time is over. */
export async function deleteFormerAddresses(db: Queryable): Promise<void> {
  await db.query(sql`delete from former_addresses where until <= now()`);
}
