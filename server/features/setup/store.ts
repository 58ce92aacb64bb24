import type { Queryable } from "../../platform/db/database.ts";
import { sql } from "../../platform/db/sql.ts";

export async function insertInvitation(tx: Queryable, tokenHash: Buffer): Promise<void> {
  await tx.query(sql`insert into organization_invitations (token_hash) values (${tokenHash})`);
}

export async function isOpenInvitation(
  tx: Queryable,
  tokenHash: Buffer,
  lifetimeHours: number,
): Promise<boolean> {
  const rows = await tx.query(sql`
    select 1 from organization_invitations
    where token_hash = ${tokenHash} and used_at is null
      and created_at > now() - make_interval(hours => ${lifetimeHours})`);
  return rows.length > 0;
}

/**
 * Uses up all open invitations if the given one is among them; returns false if it is not. Each row can be
 * updated only once, so of two calls at the same time one updates nothing.
 */
export async function useInvitation(
  tx: Queryable,
  tokenHash: Buffer,
  lifetimeHours: number,
): Promise<boolean> {
  const rows = await tx.query<{ isGiven: boolean }>(sql`
    update organization_invitations set used_at = now()
    where used_at is null and exists (
      select 1 from organization_invitations given
      where given.token_hash = ${tokenHash} and given.used_at is null
        and given.created_at > now() - make_interval(hours => ${lifetimeHours}))
    returning token_hash = ${tokenHash} as "isGiven"`);
  return rows.some(({ isGiven }) => isGiven);
}

/** Uses up all open invitations. */
export async function useAllInvitations(tx: Queryable): Promise<void> {
  await tx.query(sql`update organization_invitations set used_at = now() where used_at is null`);
}
