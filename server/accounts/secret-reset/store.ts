/**
 * The rows of all modules that nobody can read or find without the secret they were written under. Each
 * statement is for all organizations.
 */
import type { OrganizationId, UserId } from "../../../api/ids.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { type Sql, sql } from "../../platform/db/sql.ts";

export interface Account {
  organizationId: OrganizationId;
  userId: UserId;
}

/** The accounts that have an API key. */
export async function listKeyAccounts(tx: Queryable): Promise<Account[]> {
  return tx.query<Account>(sql`
    select organization_id as "organizationId", user_id as "userId" from api_keys
    order by organization_id, user_id for update`);
}

/** The bots that call a webhook, whose requests have a token. */
export async function listTokenAccounts(tx: Queryable): Promise<Account[]> {
  return tx.query<Account>(sql`
    select organization_id as "organizationId", user_id as "userId" from bots
    where token_encrypted is not null order by organization_id, user_id for update`);
}

export async function listOrganizationIds(tx: Queryable): Promise<OrganizationId[]> {
  const rows = await tx.query<{ id: OrganizationId }>(sql`select id from organizations order by id`);
  return rows.map(({ id }) => id);
}

export async function replaceKeys(
  tx: Queryable,
  accounts: readonly Account[],
  keys: readonly { hash: Buffer; encrypted: Buffer }[],
): Promise<void> {
  await tx.query(sql`
    update api_keys set key_hash = n.hash, key_encrypted = n.encrypted, created_at = now()
    from unnest(
      ${accounts.map((each) => each.organizationId)}::bigint[], ${accounts.map((each) => each.userId)}::bigint[],
      ${keys.map(({ hash }) => hash)}::bytea[], ${keys.map(({ encrypted }) => encrypted)}::bytea[]
    ) as n (organization_id, user_id, hash, encrypted)
    where api_keys.organization_id = n.organization_id and api_keys.user_id = n.user_id`);
}

export async function replaceTokens(
  tx: Queryable,
  accounts: readonly Account[],
  tokens: readonly Buffer[],
): Promise<void> {
  await tx.query(sql`
    update bots set token_encrypted = n.encrypted
    from unnest(
      ${accounts.map((each) => each.organizationId)}::bigint[], ${accounts.map((each) => each.userId)}::bigint[],
      ${tokens}::bytea[]
    ) as n (organization_id, user_id, encrypted)
    where bots.organization_id = n.organization_id and bots.user_id = n.user_id`);
}

/** What is deleted: by the name that people read, or without one if nobody misses it. */
const deletions: readonly { name?: string; statement: Sql }[] = [
  { name: "sessions ended", statement: sql`delete from sessions` },
  { name: "authenticator apps removed", statement: sql`delete from totp_secrets` },
  { statement: sql`delete from recovery_codes` },
  { name: "mails that waited deleted", statement: sql`delete from mails` },
  { name: "invitations deleted", statement: sql`delete from invitations` },
  { name: "mailed links ended", statement: sql`delete from mailed_codes` },
  { statement: sql`delete from organization_invitations where used_at is null` },
  { statement: sql`delete from pending_sign_ins` },
  { statement: sql`delete from sign_in_steps` },
  { statement: sql`delete from passkey_challenges` },
  { statement: sql`delete from known_devices` },
  { statement: sql`delete from sign_in_networks` },
  // The log has keys of bots. A queue that has not read of them yet could not go on.
  { statement: sql`delete from event_queues` },
];

/** Returns how many rows went, by what people call them. */
export async function deleteUnreadable(tx: Queryable): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const { name, statement } of deletions) {
    const rows = await tx.query(sql`with gone as (${statement} returning 1) select 1 from gone`);
    if (name !== undefined) counts.set(name, rows.length);
  }
  return counts;
}
