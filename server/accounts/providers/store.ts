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

/** By what somebody has shown that an account is theirs. */
export type ConnectedBy = "password" | "email" | "joining";

/** An identity that is connected with an account. */
export interface KnownIdentity {
  id: number;
  userId: UserId;
  /** When its person last showed a second step of the account. */
  secondStepAt: Date | null;
}

/** Notes that it is used now. undefined: nobody's. */
export async function updateIdentityUse(
  db: Queryable,
  organizationId: OrganizationId,
  { issuer, subject, providerId }: ExternalIdentity,
): Promise<KnownIdentity | undefined> {
  const [row] = await db.query<KnownIdentity>(sql`
    update external_identities set last_used_at = now(), provider_id = ${providerId}
    where organization_id = ${organizationId} and issuer = ${issuer} and subject = ${subject}
    returning id, user_id as "userId", second_step_at as "secondStepAt"`);
  return row;
}

/** The same without a note. */
export async function findIdentity(
  db: Queryable,
  organizationId: OrganizationId,
  { issuer, subject }: ExternalIdentity,
): Promise<KnownIdentity | undefined> {
  const [row] = await db.query<KnownIdentity>(sql`
    select id, user_id as "userId", second_step_at as "secondStepAt" from external_identities
    where organization_id = ${organizationId} and issuer = ${issuer} and subject = ${subject}`);
  return row;
}

export interface ListedIdentity {
  id: number;
  providerId: string;
  connectedBy: ConnectedBy;
  connectedAt: Date;
  lastUsedAt: Date;
}

/** Those of one account, the oldest first. */
export async function listIdentities(
  db: Queryable,
  organizationId: OrganizationId,
  userId: UserId,
): Promise<ListedIdentity[]> {
  return db.query(sql`
    select id, provider_id as "providerId", connected_by as "connectedBy", created_at as "connectedAt",
      last_used_at as "lastUsedAt"
    from external_identities where organization_id = ${organizationId} and user_id = ${userId}
    order by id`);
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

export interface NewIdentity extends ExternalIdentity {
  userId: UserId;
  connectedBy: ConnectedBy;
  /** Whether its person has just shown a second step of the account. */
  hasShownStep: boolean;
}

/** Returns false if it belongs to somebody. An account keeps those that were used last. */
export async function insertIdentity(
  db: Queryable,
  organizationId: OrganizationId,
  { issuer, subject, providerId, userId, connectedBy, hasShownStep }: NewIdentity,
): Promise<boolean> {
  const inserted = await db.query(sql`
    insert into external_identities
      (organization_id, issuer, subject, user_id, provider_id, connected_by, second_step_at)
    values (${organizationId}, ${issuer}, ${subject}, ${userId}, ${providerId}, ${connectedBy},
      case when ${hasShownStep} then now() end)
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

/** false: it was ended meanwhile. */
export async function updateIdentityStep(
  db: Queryable,
  organizationId: OrganizationId,
  { issuer, subject }: ExternalIdentity,
  userId: UserId,
): Promise<boolean> {
  const rows = await db.query(sql`
    update external_identities set second_step_at = now()
    where organization_id = ${organizationId} and issuer = ${issuer} and subject = ${subject}
      and user_id = ${userId}
    returning 1`);
  return rows.length > 0;
}

/** Returns the provider of the deleted one. undefined: the account has no such identity. */
export async function deleteIdentity(
  db: Queryable,
  organizationId: OrganizationId,
  userId: UserId,
  id: number,
): Promise<string | undefined> {
  const [row] = await db.query<{ providerId: string }>(sql`
    delete from external_identities
    where organization_id = ${organizationId} and user_id = ${userId} and id = ${id}
    returning provider_id as "providerId"`);
  return row?.providerId;
}

/** Returns the providers of those that were connected by the password, which this deletes. */
export async function deleteIdentitiesByPassword(
  db: Queryable,
  organizationId: OrganizationId,
  userId: UserId,
): Promise<string[]> {
  const rows = await db.query<{ providerId: string }>(sql`
    delete from external_identities
    where organization_id = ${organizationId} and user_id = ${userId} and connected_by = 'password'
    returning provider_id as "providerId"`);
  return rows.map(({ providerId }) => providerId);
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

/** Those that can be taken. */
export async function listSteps(
  db: Queryable,
  organizationId: OrganizationId,
): Promise<{ tokenHash: Buffer; data: Buffer }[]> {
  return db.query(sql`
    select token_hash as "tokenHash", encrypted_data as data from sign_in_steps
    where organization_id = ${organizationId} and expires_at > now() and encrypted_data is not null`);
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
