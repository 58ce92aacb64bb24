import type { OrganizationId, UserId } from "../../api/ids.ts";
import type { Queryable } from "../platform/db/database.ts";
import { PAGE_ROWS } from "../platform/db/pages.ts";
import { sql } from "../platform/db/sql.ts";

export interface KeyHash {
  userId: UserId;
  hash: string;
}

/** All keys by pages: those after one of them. */
export async function listApiKeyHashes(
  tx: Queryable,
  organizationId: OrganizationId,
  last: KeyHash | undefined,
): Promise<KeyHash[]> {
  return tx.query(sql`
    select user_id as "userId", encode(key_hash, 'base64') as hash from api_keys
    where organization_id = ${organizationId} and user_id > ${last?.userId ?? 0}
    order by user_id limit ${PAGE_ROWS}`);
}

export async function upsertApiKey(
  tx: Queryable,
  organizationId: OrganizationId,
  userId: UserId,
  key: { hash: Buffer; encrypted: Buffer },
): Promise<void> {
  await tx.query(sql`
    insert into api_keys (organization_id, user_id, key_hash, key_encrypted)
    values (${organizationId}, ${userId}, ${key.hash}, ${key.encrypted})
    on conflict (organization_id, user_id) do update
    set key_hash = excluded.key_hash, key_encrypted = excluded.key_encrypted, created_at = now()`);
}

export async function deleteApiKey(
  tx: Queryable,
  organizationId: OrganizationId,
  userId: UserId,
): Promise<void> {
  await tx.query(sql`delete from api_keys where organization_id = ${organizationId} and user_id = ${userId}`);
}

export async function findEncryptedApiKey(
  tx: Queryable,
  organizationId: OrganizationId,
  userId: UserId,
): Promise<Buffer | undefined> {
  const [row] = await tx.query<{ key: Buffer }>(sql`
    select key_encrypted as key from api_keys where organization_id = ${organizationId} and user_id = ${userId}`);
  return row?.key;
}

/** The encrypted keys of some users, by user. */
export async function listEncryptedApiKeys(
  tx: Queryable,
  organizationId: OrganizationId,
  userIds: readonly UserId[],
): Promise<{ userId: UserId; key: Buffer }[]> {
  return tx.query(sql`
    select user_id as "userId", key_encrypted as key from api_keys
    where organization_id = ${organizationId} and user_id = any(${userIds}::bigint[])`);
}

/** Since when users have their keys: the newest first. */
export async function listKeyDates(
  tx: Queryable,
  organizationId: OrganizationId,
  userIds: readonly UserId[],
): Promise<{ userId: UserId; since: Date }[]> {
  return tx.query(sql`
    select user_id as "userId", created_at as since from api_keys
    where organization_id = ${organizationId} and user_id = any(${userIds}::bigint[])
    order by created_at desc, user_id`);
}
