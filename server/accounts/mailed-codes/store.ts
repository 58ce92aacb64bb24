import type { OrganizationId, UserId } from "../../../api/ids.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { sql } from "../../platform/db/sql.ts";

export type Purpose = "password" | "email" | "sign-up";

/** What a link in a mail, or one from the operator, is for. */
export interface MailedCode {
  purpose: Purpose;
  /** null: the link is to join. */
  userId: UserId | null;
  email: string;
  /** For another password: the hash of the one at that time; null for none. */
  passwordHash: string | null;
  /** The server's operator made it and gave it to the person, so no mailbox was needed. */
  isByOperator: boolean;
}

const columns = sql`purpose, user_id as "userId", email, password_hash as "passwordHash",
  by_operator as "isByOperator"`;

export async function insertCode(
  tx: Queryable,
  organizationId: OrganizationId,
  { purpose, userId, email, passwordHash, isByOperator }: MailedCode,
  { tokenHash, hours }: { tokenHash: Buffer; hours: number },
): Promise<void> {
  await tx.query(sql`
    insert into mailed_codes
      (organization_id, token_hash, purpose, user_id, email, password_hash, by_operator, expires_at)
    values (${organizationId}, ${tokenHash}, ${purpose}, ${userId}, ${email}, ${passwordHash}, ${isByOperator},
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

/** What an address is mailed, and the hash of the address. */
export interface Asked {
  kind: string;
  addressHash: Buffer;
}

/** Ten mails in a day may follow each other by minutes. */
const SHARE_OF_DAY = 10;
const isPastDay = sql`(a.day_began_at <= now() - interval '1 day')`;
/** From when on the next mail may be sent. */
const nextAt = sql`(a.last_at + case when a.mails < ${SHARE_OF_DAY} or ${isPastDay}
  then interval '5 minutes' else interval '1 hour' end)`;
/** The row was written while the clock was ahead. */
const isOfWrongClock = sql`(a.last_at > now() + interval '1 minute')`;

/** Counts a mail if it may be sent by now, and returns whether it may. LOCK: the row. */
export async function countAskedMail(
  tx: Queryable,
  organizationId: OrganizationId,
  { kind, addressHash }: Asked,
): Promise<boolean> {
  const counted = await tx.query(sql`
    insert into asked_mails as a (organization_id, kind, address_hash, mails, day_began_at, last_at)
    values (${organizationId}, ${kind}, ${addressHash}, 1, now(), now())
    on conflict (organization_id, kind, address_hash) do update set
      mails = case when ${isPastDay} then 1 else a.mails + 1 end,
      day_began_at = case when ${isPastDay} then now() else a.day_began_at end,
      last_at = now()
    where ${nextAt} <= now() or ${isOfWrongClock}
    returning 1`);
  return counted.length > 0;
}

/** In how many seconds the next mail may be sent. */
export async function findAskedMailDelay(
  tx: Queryable,
  organizationId: OrganizationId,
  { kind, addressHash }: Asked,
): Promise<number> {
  const [row] = await tx.query<{ seconds: number }>(sql`
    select extract(epoch from ${nextAt} - now())::float8 as seconds from asked_mails a
    where organization_id = ${organizationId} and kind = ${kind} and address_hash = ${addressHash}`);
  return row?.seconds ?? 0;
}

export async function deletePastAskedMails(db: Queryable): Promise<void> {
  await db.query(sql`delete from asked_mails where last_at <= now() - interval '1 day'`);
}

export async function deleteExpiredCodes(db: Queryable): Promise<void> {
  await db.query(sql`delete from mailed_codes where expires_at <= now()`);
}

/** Counts for an address, and those of one kind. */
export async function deleteAskedMails(
  tx: Queryable,
  organizationId: OrganizationId,
  { kind, hashes }: { kind: string; hashes: readonly Buffer[] },
): Promise<void> {
  await tx.query(sql`
    delete from asked_mails
    where organization_id = ${organizationId} and (kind = ${kind} or address_hash = any(${hashes}::bytea[]))`);
}
