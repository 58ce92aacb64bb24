import type { OrganizationId, UserId } from "../../../api/ids.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { sql } from "../../platform/db/sql.ts";

/** Sign-ins of one person that wait at once; a further one ends the oldest. */
const MAX_PENDING = 10;
const PENDING_MINUTES = 10;

export interface PendingSignIn {
  userId: UserId;
  /** The hash of the password that was right. */
  passwordHash: string;
}

export async function insertPendingSignIn(
  tx: Queryable,
  organizationId: OrganizationId,
  tokenHash: Buffer,
  { userId, passwordHash }: PendingSignIn,
): Promise<void> {
  await tx.query(sql`
    insert into pending_sign_ins (organization_id, token_hash, user_id, password_hash, expires_at)
    values (${organizationId}, ${tokenHash}, ${userId}, ${passwordHash},
      now() + make_interval(mins => ${PENDING_MINUTES}))`);
  await tx.query(sql`
    delete from pending_sign_ins
    where organization_id = ${organizationId} and user_id = ${userId} and token_hash in (
      select token_hash from pending_sign_ins
      where organization_id = ${organizationId} and user_id = ${userId}
      order by expires_at desc, token_hash offset ${MAX_PENDING}
    )`);
}

export async function findPendingSignIn(
  tx: Queryable,
  organizationId: OrganizationId,
  tokenHash: Buffer,
): Promise<PendingSignIn | undefined> {
  const [row] = await tx.query<PendingSignIn>(sql`
    select user_id as "userId", password_hash as "passwordHash" from pending_sign_ins
    where organization_id = ${organizationId} and token_hash = ${tokenHash} and expires_at > now()`);
  return row;
}

/** Uses a sign-in up. Only one of several uses at once gets true. */
export async function deletePendingSignIn(
  tx: Queryable,
  organizationId: OrganizationId,
  tokenHash: Buffer,
): Promise<boolean> {
  const rows = await tx.query(sql`
    delete from pending_sign_ins
    where organization_id = ${organizationId} and token_hash = ${tokenHash} and expires_at > now()
    returning 1`);
  return rows.length > 0;
}

export async function deletePendingSignInsOf(
  tx: Queryable,
  organizationId: OrganizationId,
  userId: UserId,
): Promise<void> {
  await tx.query(sql`
    delete from pending_sign_ins where organization_id = ${organizationId} and user_id = ${userId}`);
}

export async function deleteExpiredSignIns(db: Queryable): Promise<void> {
  await db.query(sql`delete from pending_sign_ins where expires_at <= now()`);
}
