/** The rows of all modules that tell of a person. `server/administration/erasure/tables.ts` lists them. */
import type { OrganizationId, UserId } from "../../../api/ids.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { Sql, sql } from "../../platform/db/sql.ts";
import type { Deletion } from "./tables.ts";

export interface Erasure {
  organizationId: OrganizationId;
  userId: UserId;
  keepsMessages: boolean;
  /** null: it has ended. */
  encrypted: Buffer | null;
  /** Messages up to this one have been looked at. */
  messageId: number;
}

export async function insertErasure(
  tx: Queryable,
  { organizationId, userId, keepsMessages, encrypted }: Omit<Erasure, "messageId">,
): Promise<void> {
  await tx.query(sql`
    insert into erasures (organization_id, user_id, keeps_messages, encrypted)
    values (${organizationId}, ${userId}, ${keepsMessages}, ${encrypted})`);
}

export async function findErasure(
  db: Queryable,
  organizationId: OrganizationId,
  userId: UserId,
): Promise<Erasure | undefined> {
  const [row] = await db.query<Erasure>(sql`
    select organization_id as "organizationId", user_id as "userId", keeps_messages as "keepsMessages", encrypted,
      message_id as "messageId"
    from erasures where organization_id = ${organizationId} and user_id = ${userId}`);
  return row;
}

/** Whether an erasure of the account has begun and not ended. */
export async function isErasureOpen(
  tx: Queryable,
  organizationId: OrganizationId,
  userId: UserId,
): Promise<boolean> {
  const erasure = await findErasure(tx, organizationId, userId);
  return erasure !== undefined && erasure.encrypted !== null;
}

export async function updateErasedTo(
  db: Queryable,
  { organizationId, userId }: Pick<Erasure, "organizationId" | "userId">,
  messageId: number,
): Promise<void> {
  await db.query(sql`
    update erasures set message_id = ${messageId}
    where organization_id = ${organizationId} and user_id = ${userId}`);
}

export async function updateEncrypted(
  db: Queryable,
  { organizationId, userId }: Pick<Erasure, "organizationId" | "userId">,
  encrypted: Buffer,
): Promise<void> {
  await db.query(sql`
    update erasures set encrypted = ${encrypted}
    where organization_id = ${organizationId} and user_id = ${userId} and encrypted is not null`);
}

/** Forgets what the job looked for. */
export async function updateFinished(
  db: Queryable,
  { organizationId, userId }: Pick<Erasure, "organizationId" | "userId">,
): Promise<void> {
  await db.query(sql`
    update erasures set encrypted = null, finished_at = now()
    where organization_id = ${organizationId} and user_id = ${userId}`);
}

/** Deletes some of a person's rows. Returns how many. */
export async function deleteRowsOf(
  tx: Queryable,
  { table, column }: Deletion,
  organizationId: OrganizationId,
  userId: UserId,
  limit: number,
): Promise<number> {
  // The names are those of the list in this folder, and so safe in the text of the statement.
  const statement = new Sql(
    `with gone as (delete from ${table} where ctid = any(array(
       select ctid from ${table} where organization_id = $1 and ${column} = $2 limit $3))
       and organization_id = $1 and ${column} = $2 returning 1)
     select count(*)::int as count from gone`,
    [organizationId, userId, limit],
    undefined,
  );
  const [row] = await tx.query<{ count: number }>(statement);
  return row?.count ?? 0;
}

export async function countRowsOf(
  db: Queryable,
  { table, column }: Deletion,
  organizationId: OrganizationId,
  userId: UserId,
): Promise<number> {
  const statement = new Sql(
    `select count(*)::int as count from ${table} where organization_id = $1 and ${column} = $2`,
    [organizationId, userId],
    undefined,
  );
  const [row] = await db.query<{ count: number }>(statement);
  return row?.count ?? 0;
}

/** Those muted now or before. */
export async function listMutedBy(
  tx: Queryable,
  organizationId: OrganizationId,
  userId: UserId,
): Promise<UserId[]> {
  const rows = await tx.query<{ id: UserId }>(sql`
    select muted_user_id as id from muted_users
    where organization_id = ${organizationId} and user_id = ${userId} and ended_at is null`);
  return rows.map(({ id }) => id);
}

/** The addresses that the person had in the last days, also those whose time is over. */
export async function listFormerAddressesOf(
  tx: Queryable,
  organizationId: OrganizationId,
  userId: UserId,
): Promise<string[]> {
  const rows = await tx.query<{ address: string }>(sql`
    select address from former_addresses where organization_id = ${organizationId} and user_id = ${userId}`);
  return rows.map(({ address }) => address);
}

/** Invitations and mailed codes that the person made, or that lie in the person's mailbox. */
export async function deleteInvitationsAndCodes(
  tx: Queryable,
  organizationId: OrganizationId,
  userId: UserId,
  addresses: readonly string[],
): Promise<UserId[]> {
  const folded = addresses.map((address) => address.toLowerCase());
  const invitations = await tx.query<{ inviterId: UserId }>(sql`
    delete from invitations where organization_id = ${organizationId}
      and (inviter_id = ${userId} or lower(email) = any(${folded}::text[]))
    returning inviter_id as "inviterId"`);
  await tx.query(sql`
    delete from mailed_codes where organization_id = ${organizationId}
      and (user_id = ${userId} or lower(email) = any(${folded}::text[]))`);
  return invitations.map(({ inviterId }) => inviterId);
}

/** Also what was counted for the address when nobody had signed in by it. */
export async function deleteSignInAttempts(
  tx: Queryable,
  organizationId: OrganizationId,
  subjects: readonly string[],
): Promise<void> {
  await tx.query(sql`
    delete from sign_in_attempts a using unnest(${subjects}::text[]) as account (subject)
    where a.organization_id = ${organizationId}
      and (a.subject = account.subject or starts_with(a.subject, account.subject || ' '))`);
}

export async function deleteImportSource(
  tx: Queryable,
  organizationId: OrganizationId,
  userId: UserId,
): Promise<void> {
  await tx.query(sql`
    delete from import_sources
    where organization_id = ${organizationId} and kind = 'person' and id = ${userId}`);
}
