import type { OrganizationId, UserId } from "../../../api/ids.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { sql } from "../../platform/db/sql.ts";
import type { SecondStepsOf } from "./second-steps.ts";

/** How long somebody has to type the first code of an app. */
const SETUP_MINUTES = 60;

/** The second steps of all people who have one. */
export async function listSecondSteps(
  tx: Queryable,
  organizationId: OrganizationId,
): Promise<SecondStepsOf[]> {
  return tx.query(sql`
    select user_id as "userId", bool_or(has_totp) as "hasTotp", sum(passkeys)::integer as passkeys
    from (
      select user_id, true as has_totp, 0 as passkeys from totp_secrets
      where organization_id = ${organizationId} and confirmed_at is not null
      union all
      select user_id, false, 1 from passkeys where organization_id = ${organizationId}
    ) as each
    group by user_id`);
}

export async function findSecondSteps(
  tx: Queryable,
  organizationId: OrganizationId,
  userId: UserId,
): Promise<SecondStepsOf & { recoveryCodes: number }> {
  const [row] = await tx.query<{ hasTotp: boolean; passkeys: number; recoveryCodes: number }>(sql`
    select
      exists (select 1 from totp_secrets where organization_id = ${organizationId} and user_id = ${userId}
        and confirmed_at is not null) as "hasTotp",
      (select count(*)::integer from passkeys
        where organization_id = ${organizationId} and user_id = ${userId}) as passkeys,
      (select count(*)::integer from recovery_codes
        where organization_id = ${organizationId} and user_id = ${userId}) as "recoveryCodes"`);
  return { userId, ...(row as { hasTotp: boolean; passkeys: number; recoveryCodes: number }) };
}

/** Since when somebody has had a second step without a break. undefined: they have none. */
export async function findSecondStepSince(
  tx: Queryable,
  organizationId: OrganizationId,
  userId: UserId,
): Promise<Date | undefined> {
  const [row] = await tx.query<{ since: Date | null }>(sql`
    select min(since) as since from (
      select confirmed_at as since from totp_secrets
      where organization_id = ${organizationId} and user_id = ${userId} and confirmed_at is not null
      union all
      select created_at from passkeys where organization_id = ${organizationId} and user_id = ${userId}
    ) as each`);
  return row?.since ?? undefined;
}

/** Keeps the secret of an app to confirm, in place of an earlier one. false: one is confirmed already. */
export async function upsertTotpSecret(
  tx: Queryable,
  organizationId: OrganizationId,
  userId: UserId,
  secret: Buffer,
): Promise<boolean> {
  const rows = await tx.query(sql`
    insert into totp_secrets as t (organization_id, user_id, secret)
    values (${organizationId}, ${userId}, ${secret})
    on conflict (organization_id, user_id) do update set secret = excluded.secret, created_at = now()
    where t.confirmed_at is null
    returning 1`);
  return rows.length > 0;
}

export interface TotpSecret {
  secret: Buffer;
  isConfirmed: boolean;
}

/** undefined: there is none, or it was not confirmed in time. */
export async function findTotpSecret(
  tx: Queryable,
  organizationId: OrganizationId,
  userId: UserId,
): Promise<TotpSecret | undefined> {
  const [row] = await tx.query<TotpSecret>(sql`
    select secret, confirmed_at is not null as "isConfirmed" from totp_secrets
    where organization_id = ${organizationId} and user_id = ${userId}
      and (confirmed_at is not null or created_at > now() - make_interval(mins => ${SETUP_MINUTES}))`);
  return row;
}

/** false: it was confirmed, replaced or removed meanwhile. */
export async function updateTotpConfirmed(
  tx: Queryable,
  organizationId: OrganizationId,
  userId: UserId,
  { secret, step }: { secret: Buffer; step: number },
): Promise<boolean> {
  const rows = await tx.query(sql`
    update totp_secrets set confirmed_at = now(), last_step = ${step}
    where organization_id = ${organizationId} and user_id = ${userId} and secret = ${secret}
      and confirmed_at is null
    returning 1`);
  return rows.length > 0;
}

/** Uses the code of a time step up. Only one of several uses at once returns true. */
export async function updateTotpStep(
  tx: Queryable,
  organizationId: OrganizationId,
  userId: UserId,
  { secret, step }: { secret: Buffer; step: number },
): Promise<boolean> {
  const rows = await tx.query(sql`
    update totp_secrets set last_step = ${step}
    where organization_id = ${organizationId} and user_id = ${userId} and secret = ${secret}
      and confirmed_at is not null and last_step < ${step}
    returning 1`);
  return rows.length > 0;
}

/** false: there was no confirmed one. */
export async function deleteTotpSecret(
  tx: Queryable,
  organizationId: OrganizationId,
  userId: UserId,
): Promise<boolean> {
  const rows = await tx.query<{ isConfirmed: boolean }>(sql`
    delete from totp_secrets where organization_id = ${organizationId} and user_id = ${userId}
    returning confirmed_at is not null as "isConfirmed"`);
  return rows.some(({ isConfirmed }) => isConfirmed);
}

/** In place of all that the person had. */
export async function replaceRecoveryCodes(
  tx: Queryable,
  organizationId: OrganizationId,
  userId: UserId,
  hashes: readonly Buffer[],
): Promise<void> {
  await tx.query(sql`
    delete from recovery_codes where organization_id = ${organizationId} and user_id = ${userId}`);
  if (hashes.length === 0) return;
  await tx.query(sql`
    insert into recovery_codes (organization_id, user_id, code_hash)
    select ${organizationId}, ${userId}, code_hash from unnest(${hashes}::bytea[]) as code_hash`);
}

/** Uses a code up. Only one of several uses at once returns true. */
export async function deleteRecoveryCode(
  tx: Queryable,
  organizationId: OrganizationId,
  userId: UserId,
  hash: Buffer,
): Promise<boolean> {
  const rows = await tx.query(sql`
    delete from recovery_codes
    where organization_id = ${organizationId} and user_id = ${userId} and code_hash = ${hash}
    returning 1`);
  return rows.length > 0;
}
