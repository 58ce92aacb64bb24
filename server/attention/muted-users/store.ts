import type { OrganizationId, UserId } from "../../../api/ids.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { PersonalRows } from "../../platform/db/personal-rows.ts";
import { sql } from "../../platform/db/sql.ts";

export interface MutedUserRow {
  userId: UserId;
  mutedUserId: UserId;
  mutedAt: Date;
  hasEnded: boolean;
}

/** Everybody's mutes, including ended ones. */
export async function listMutedUsers(tx: Queryable, organizationId: OrganizationId): Promise<MutedUserRow[]> {
  return tx.query(sql`
    select user_id as "userId", muted_user_id as "mutedUserId", muted_at as "mutedAt", ended_at is not null as "hasEnded"
    from muted_users where organization_id = ${organizationId}`);
}

/** The people whom one person has muted now, in the order of muting. */
export const ownMutedUsers = new PersonalRows<{ id: UserId; mutedAt: Date }>(
  (organizationId, userId) => sql`
    select muted_user_id as id, muted_at as "mutedAt" from muted_users
    where organization_id = ${organizationId} and user_id = ${userId} and ended_at is null
    order by muted_at, muted_user_id`,
  ["mutedAt"],
);

/** Returns false if the target is muted already. */
export async function insertMutedUser(
  tx: Queryable,
  organizationId: OrganizationId,
  userId: UserId,
  mutedUserId: UserId,
): Promise<boolean> {
  const rows = await tx.query(sql`
    insert into muted_users (organization_id, user_id, muted_user_id, muted_at)
    values (${organizationId}, ${userId}, ${mutedUserId}, ${new Date()})
    on conflict (organization_id, user_id, muted_user_id) do update
    set muted_at = excluded.muted_at, ended_at = null where muted_users.ended_at is not null
    returning 1`);
  return rows.length > 0;
}

/**
 * The row stays, since messages that arrived meanwhile are still read. Returns false if the target is not
 * muted.
 */
export async function endMutedUser(
  tx: Queryable,
  organizationId: OrganizationId,
  userId: UserId,
  mutedUserId: UserId,
): Promise<boolean> {
  const rows = await tx.query(sql`
    update muted_users set ended_at = ${new Date()}
    where organization_id = ${organizationId} and user_id = ${userId} and muted_user_id = ${mutedUserId}
      and ended_at is null
    returning 1`);
  return rows.length > 0;
}
