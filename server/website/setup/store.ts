import type { Queryable } from "../../platform/db/database.ts";
import { sql } from "../../platform/db/sql.ts";

/** Whom a link was mailed to, and the network from which it was asked for. */
export interface Mailed {
  email: string;
  network: string;
}

/** Without `mailed` it is a link that the server prints. */
export async function insertInvitation(tx: Queryable, tokenHash: Buffer, mailed?: Mailed): Promise<void> {
  await tx.query(sql`
    insert into organization_invitations (token_hash, email, network)
    values (${tokenHash}, ${mailed?.email ?? null}, ${mailed?.network ?? null})`);
}

/** An open link. `email` is null for one that the server printed. */
export async function findInvitation(
  tx: Queryable,
  tokenHash: Buffer,
  lifetimeHours: number,
): Promise<{ email: string | null } | undefined> {
  const [row] = await tx.query<{ email: string | null }>(sql`
    select email from organization_invitations
    where token_hash = ${tokenHash} and used_at is null
      and created_at > now() - make_interval(hours => ${lifetimeHours})`);
  return row;
}

/** Whether a link, open or ended, was mailed. */
export async function isMailedInvitation(tx: Queryable, tokenHash: Buffer): Promise<boolean> {
  const rows = await tx.query(sql`
    select 1 from organization_invitations where token_hash = ${tokenHash} and email is not null`);
  return rows.length > 0;
}

/**
 * Uses up the given link, and all that the server printed, if the given one is open; returns false if it is
 * not. Each row can be updated only once, so of two calls at the same time one updates nothing.
 */
export async function useInvitation(
  tx: Queryable,
  tokenHash: Buffer,
  lifetimeHours: number,
): Promise<boolean> {
  const rows = await tx.query<{ isGiven: boolean }>(sql`
    update organization_invitations set used_at = now()
    where used_at is null and (token_hash = ${tokenHash} or email is null) and exists (
      select 1 from organization_invitations given
      where given.token_hash = ${tokenHash} and given.used_at is null
        and given.created_at > now() - make_interval(hours => ${lifetimeHours}))
    returning token_hash = ${tokenHash} as "isGiven"`);
  return rows.some(({ isGiven }) => isGiven);
}

/** Uses up all open links that the server has printed. */
export async function useAllInvitations(tx: Queryable): Promise<void> {
  await tx.query(
    sql`update organization_invitations set used_at = now() where used_at is null and email is null`,
  );
}

/** How many links were mailed in the last hours: from the network, and from all. */
export async function countMailed(
  tx: Queryable,
  network: string,
  hours: number,
): Promise<{ ofNetwork: number; ofAll: number }> {
  const [row] = await tx.query<{ ofNetwork: number; ofAll: number }>(sql`
    select count(*) filter (where network = ${network})::int as "ofNetwork", count(*)::int as "ofAll"
    from organization_invitations
    where email is not null and created_at > now() - make_interval(hours => ${hours})`);
  return row ?? { ofNetwork: 0, ofAll: 0 };
}

/** Whether a link was mailed to the address in the last minutes. */
export async function hasRecentMail(tx: Queryable, email: string, minutes: number): Promise<boolean> {
  const rows = await tx.query(sql`
    select 1 from organization_invitations
    where lower(email) = lower(${email}) and created_at > now() - make_interval(mins => ${minutes})
    limit 1`);
  return rows.length > 0;
}

/** Links that are of no use to anybody, and the addresses of who never came. */
export async function deleteOldInvitations(db: Queryable, hours: number): Promise<void> {
  await db.query(sql`
    delete from organization_invitations where created_at <= now() - make_interval(hours => ${hours})`);
}
