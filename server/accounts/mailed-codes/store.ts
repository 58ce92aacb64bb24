import type { OrganizationId, UserId } from "../../../api/ids.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { sql } from "../../platform/db/sql.ts";

export type Purpose = "password" | "email" | "sign-up";

/** What a link in a mail is for. */
export interface MailedCode {
  purpose: Purpose;
  /** null: the link is to join. */
  userId: UserId | null;
  email: string;
  /** For another password: the hash of the one at that time; null for none. */
  passwordHash: string | null;
}

const columns = sql`purpose, user_id as "userId", email, password_hash as "passwordHash"`;

export async function insertCode(
  tx: Queryable,
  organizationId: OrganizationId,
  { purpose, userId, email, passwordHash }: MailedCode,
  { tokenHash, hours }: { tokenHash: Buffer; hours: number },
): Promise<void> {
  await tx.query(sql`
    insert into mailed_codes (organization_id, token_hash, purpose, user_id, email, password_hash, expires_at)
    values (${organizationId}, ${tokenHash}, ${purpose}, ${userId}, ${email}, ${passwordHash},
      now() + make_interval(hours => ${hours}))`);
}

export async function findCode(
  tx: Queryable,
  organizationId: OrganizationId,
  tokenHash: Buffer,
): Promise<MailedCode | undefined> {
  const [row] = await tx.query<MailedCode>(sql`
    select ${columns} from mailed_codes
    where organization_id = ${organizationId} and token_hash = ${tokenHash} and expires_at > now()`);
  return row;
}

/** Uses a code up. Only one of two who use it at once gets it. */
export async function deleteCode(
  tx: Queryable,
  organizationId: OrganizationId,
  tokenHash: Buffer,
  purpose: Purpose,
): Promise<MailedCode | undefined> {
  const [row] = await tx.query<MailedCode>(sql`
    delete from mailed_codes
    where organization_id = ${organizationId} and token_hash = ${tokenHash} and purpose = ${purpose}
      and expires_at > now()
    returning ${columns}`);
  return row;
}

/** Whether the address got a mail for this in the last minutes. */
export async function hasRecentCode(
  tx: Queryable,
  organizationId: OrganizationId,
  { email, purpose }: Pick<MailedCode, "email" | "purpose">,
  minutes: number,
): Promise<boolean> {
  const rows = await tx.query(sql`
    select 1 from mailed_codes
    where organization_id = ${organizationId} and lower(email) = lower(${email}) and purpose = ${purpose}
      and created_at > now() - make_interval(mins => ${minutes})
    limit 1`);
  return rows.length > 0;
}

export async function deleteCodesOf(
  tx: Queryable,
  organizationId: OrganizationId,
  userId: UserId,
  purposes: readonly Purpose[],
): Promise<void> {
  await tx.query(sql`
    delete from mailed_codes
    where organization_id = ${organizationId} and user_id = ${userId} and purpose = any(${purposes}::text[])`);
}

export async function deleteSignUpsOf(
  tx: Queryable,
  organizationId: OrganizationId,
  email: string,
): Promise<void> {
  await tx.query(sql`
    delete from mailed_codes
    where organization_id = ${organizationId} and lower(email) = lower(${email}) and purpose = 'sign-up'`);
}

export async function deleteExpiredCodes(db: Queryable): Promise<void> {
  await db.query(sql`delete from mailed_codes where expires_at <= now()`);
}
