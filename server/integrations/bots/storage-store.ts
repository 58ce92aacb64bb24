import type { OrganizationId, UserId } from "../../../api/ids.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { sql } from "../../platform/db/sql.ts";

/** What a bot has stored under these keys, or under all. */
export async function listStored(
  db: Queryable,
  organizationId: OrganizationId,
  userId: UserId,
  keys: readonly string[] | undefined,
): Promise<{ key: string; value: string }[]> {
  return db.query(sql`
    select key, value from bot_storage
    where organization_id = ${organizationId} and user_id = ${userId}
      and (${keys ?? null}::text[] is null or key = any(${keys ?? null}::text[]))
    order by key`);
}

export async function upsertStored(
  tx: Queryable,
  organizationId: OrganizationId,
  userId: UserId,
  texts: Readonly<Record<string, string>>,
): Promise<void> {
  await tx.query(sql`
    insert into bot_storage (organization_id, user_id, key, value)
    select ${organizationId}, ${userId}, key, value
    from unnest(${Object.keys(texts)}::text[], ${Object.values(texts)}::text[]) as given (key, value)
    on conflict (organization_id, user_id, key) do update set value = excluded.value`);
}

/** How many keys a bot has, and how many characters keys and values have together. */
export async function findStoredSize(
  tx: Queryable,
  organizationId: OrganizationId,
  userId: UserId,
): Promise<{ keys: number; length: number }> {
  const [row] = await tx.query<{ keys: number; length: number }>(sql`
    select count(*)::int as keys, coalesce(sum(char_length(key) + char_length(value)), 0)::int as length
    from bot_storage where organization_id = ${organizationId} and user_id = ${userId}`);
  return row ?? { keys: 0, length: 0 };
}

/** Returns the keys that were there. */
export async function deleteStored(
  tx: Queryable,
  organizationId: OrganizationId,
  userId: UserId,
  keys: readonly string[] | undefined,
): Promise<string[]> {
  const rows = await tx.query<{ key: string }>(sql`
    delete from bot_storage
    where organization_id = ${organizationId} and user_id = ${userId}
      and (${keys ?? null}::text[] is null or key = any(${keys ?? null}::text[]))
    returning key`);
  return rows.map(({ key }) => key);
}
