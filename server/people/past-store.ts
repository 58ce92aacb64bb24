import type { OrganizationId, UserId } from "../../api/ids.ts";
import type { Queryable } from "../platform/db/database.ts";
import { sql } from "../platform/db/sql.ts";
import type { PastPerson } from "./past.ts";

export async function insertPastUsers(
  tx: Queryable,
  organizationId: OrganizationId,
  people: readonly PastPerson[],
): Promise<UserId[]> {
  const rows = await tx.query<{ id: UserId }>(sql`
    insert into users (organization_id, email, full_name, role, bot_type, timezone, joined_at, deactivated_at)
    select ${organizationId}, p.email, p."fullName", p.role, p."botType", p.timezone, p."joinedAt",
      case when not p."isActive" then now() end
    from rows from (jsonb_to_recordset(${JSON.stringify(people)}::jsonb)
      as (email text, "fullName" text, role smallint, "botType" smallint, timezone text, "joinedAt" timestamptz,
        "isActive" boolean)) with ordinality as p
    order by p.ordinality returning id`);
  // Identities are given in the order of the rows.
  return rows.map(({ id }) => id).sort((a, b) => a - b);
}

export async function insertPastKeys(
  tx: Queryable,
  organizationId: OrganizationId,
  keys: readonly { userId: UserId; hash: Buffer; encrypted: Buffer }[],
): Promise<void> {
  await tx.query(sql`
    insert into api_keys (organization_id, user_id, key_hash, key_encrypted)
    select ${organizationId}, k.id, decode(k.hash, 'base64'), decode(k.encrypted, 'base64')
    from unnest(${keys.map(({ userId }) => userId)}::bigint[],
      ${keys.map(({ hash }) => hash.toString("base64"))}::text[],
      ${keys.map(({ encrypted }) => encrypted.toString("base64"))}::text[]) as k (id, hash, encrypted)`);
}

export async function updatePastOwners(
  tx: Queryable,
  organizationId: OrganizationId,
  owned: readonly { botId: UserId; ownerId: UserId }[],
): Promise<void> {
  await tx.query(sql`
    update users u set bot_owner_id = o.owner_id
    from unnest(${owned.map(({ botId }) => botId)}::bigint[], ${owned.map(({ ownerId }) => ownerId)}::bigint[])
      as o (bot_id, owner_id)
    where u.organization_id = ${organizationId} and u.id = o.bot_id`);
}
