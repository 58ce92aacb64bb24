import type { OrganizationId, UserId } from "../../../api/ids.ts";
import { MAX_EXTERNAL_IDENTITIES } from "../../../api/limits.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { sql } from "../../platform/db/sql.ts";

/** Somebody as an issuer knows them. */
export interface ExternalIdentity {
  issuer: string;
  subject: string;
  providerId: string;
}

/** Whose it is, and that it is used now. undefined: nobody's. */
export async function updateIdentityUse(
  db: Queryable,
  organizationId: OrganizationId,
  { issuer, subject, providerId }: ExternalIdentity,
): Promise<UserId | undefined> {
  const [row] = await db.query<{ userId: UserId }>(sql`
    update external_identities set last_used_at = now(), provider_id = ${providerId}
    where organization_id = ${organizationId} and issuer = ${issuer} and subject = ${subject}
    returning user_id as "userId"`);
  return row?.userId;
}

export async function hasIdentityAt(
  db: Queryable,
  organizationId: OrganizationId,
  userId: UserId,
  issuer: string,
): Promise<boolean> {
  const found = await db.query(sql`
    select 1 from external_identities
    where organization_id = ${organizationId} and user_id = ${userId} and issuer = ${issuer} limit 1`);
  return found.length > 0;
}

/** Returns false if it belongs to somebody. An account keeps those that were used last. */
export async function insertIdentity(
  db: Queryable,
  organizationId: OrganizationId,
  { issuer, subject, providerId }: ExternalIdentity,
  userId: UserId,
): Promise<boolean> {
  const inserted = await db.query(sql`
    insert into external_identities (organization_id, issuer, subject, user_id, provider_id)
    values (${organizationId}, ${issuer}, ${subject}, ${userId}, ${providerId})
    on conflict do nothing returning 1`);
  if (inserted.length === 0) return false;
  await db.query(sql`
    delete from external_identities
    where organization_id = ${organizationId} and (issuer, subject) in (
      select issuer, subject from external_identities
      where organization_id = ${organizationId} and user_id = ${userId}
      order by last_used_at desc, issuer, subject offset ${MAX_EXTERNAL_IDENTITIES}
    )`);
  return true;
}

/** Returns false if there is one with this token already. */
export async function insertStep(
  db: Queryable,
  organizationId: OrganizationId,
  step: { tokenHash: Buffer; data: Buffer | null; seconds: number },
): Promise<boolean> {
  const inserted = await db.query(sql`
    insert into sign_in_steps (organization_id, token_hash, encrypted_data, expires_at)
    values (${organizationId}, ${step.tokenHash}, ${step.data}, now() + make_interval(secs => ${step.seconds}))
    on conflict do nothing returning 1`);
  return inserted.length > 0;
}

export async function findStep(
  db: Queryable,
  organizationId: OrganizationId,
  tokenHash: Buffer,
): Promise<Buffer | undefined> {
  const [row] = await db.query<{ data: Buffer | null }>(sql`
    select encrypted_data as data from sign_in_steps
    where organization_id = ${organizationId} and token_hash = ${tokenHash} and expires_at > now()`);
  return row?.data ?? undefined;
}

/** Only one of several at once gets it. */
export async function deleteStep(
  db: Queryable,
  organizationId: OrganizationId,
  tokenHash: Buffer,
): Promise<Buffer | undefined> {
  const [row] = await db.query<{ data: Buffer | null }>(sql`
    delete from sign_in_steps
    where organization_id = ${organizationId} and token_hash = ${tokenHash} and expires_at > now()
      and encrypted_data is not null
    returning encrypted_data as data`);
  return row?.data ?? undefined;
}

export async function deleteExpiredSteps(db: Queryable): Promise<void> {
  await db.query(sql`delete from sign_in_steps where expires_at <= now()`);
}
