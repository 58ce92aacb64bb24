import type { OrganizationId, UserId } from "../../../api/ids.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { sql } from "../../platform/db/sql.ts";

export interface Passkey {
  id: number;
  userId: UserId;
  credentialId: string;
  publicKey: Buffer;
  counter: number;
  transports: string[];
  name: string;
  createdAt: Date;
  lastUsedAt: Date | null;
}

const columns = sql`id, user_id as "userId", credential_id as "credentialId", public_key as "publicKey",
  counter::float8 as counter, transports, name, created_at as "createdAt", last_used_at as "lastUsedAt"`;

/** The oldest first. */
export async function listPasskeys(
  tx: Queryable,
  organizationId: OrganizationId,
  userId: UserId,
): Promise<Passkey[]> {
  return tx.query(sql`
    select ${columns} from passkeys where organization_id = ${organizationId} and user_id = ${userId}
    order by id`);
}

export async function findPasskey(
  tx: Queryable,
  organizationId: OrganizationId,
  credentialId: string,
): Promise<Passkey | undefined> {
  const [row] = await tx.query<Passkey>(sql`
    select ${columns} from passkeys
    where organization_id = ${organizationId} and credential_id = ${credentialId}`);
  return row;
}

export type NewPasskey = Omit<Passkey, "id" | "createdAt" | "lastUsedAt">;

/** undefined: the organization has this passkey already. */
export async function insertPasskey(
  tx: Queryable,
  organizationId: OrganizationId,
  { userId, credentialId, publicKey, counter, transports, name }: NewPasskey,
): Promise<Passkey | undefined> {
  const [row] = await tx.query<Passkey>(sql`
    insert into passkeys (organization_id, user_id, credential_id, public_key, counter, transports, name)
    values (${organizationId}, ${userId}, ${credentialId}, ${publicKey}, ${counter}, ${transports}::text[], ${name})
    on conflict (organization_id, credential_id) do nothing
    returning ${columns}`);
  return row;
}

/**
 * Writes a use. The authenticator's counter must be larger than at the last use, unless it counts nothing.
 * false: it is not, so there may be a copy of the key; or the passkey is gone.
 */
export async function updatePasskeyUse(
  tx: Queryable,
  organizationId: OrganizationId,
  passkeyId: number,
  counter: number,
): Promise<boolean> {
  const rows = await tx.query(sql`
    update passkeys set counter = ${counter}, last_used_at = now()
    where organization_id = ${organizationId} and id = ${passkeyId}
      and (counter < ${counter} or (counter = 0 and ${counter}::bigint = 0))
    returning 1`);
  return rows.length > 0;
}

/** false: the person has no such passkey. */
export async function updatePasskeyName(
  tx: Queryable,
  organizationId: OrganizationId,
  { userId, id, name }: Pick<Passkey, "userId" | "id" | "name">,
): Promise<boolean> {
  const rows = await tx.query(sql`
    update passkeys set name = ${name}
    where organization_id = ${organizationId} and user_id = ${userId} and id = ${id}
    returning 1`);
  return rows.length > 0;
}

/** The deleted one's name. undefined: the person has no such passkey. */
export async function deletePasskey(
  tx: Queryable,
  organizationId: OrganizationId,
  { userId, id }: Pick<Passkey, "userId" | "id">,
): Promise<string | undefined> {
  const [row] = await tx.query<{ name: string }>(sql`
    delete from passkeys where organization_id = ${organizationId} and user_id = ${userId} and id = ${id}
    returning name`);
  return row?.name;
}

export async function deletePasskeysOf(
  tx: Queryable,
  organizationId: OrganizationId,
  userId: UserId,
): Promise<void> {
  await tx.query(sql`
    delete from passkeys where organization_id = ${organizationId} and user_id = ${userId}`);
}
