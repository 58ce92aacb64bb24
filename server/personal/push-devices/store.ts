import type { OrganizationId, UserId } from "../../../api/ids.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { sql } from "../../platform/db/sql.ts";

export interface DeviceToken {
  kind: "apns" | "fcm";
  token: string;
  /** The app of an Apple device. */
  appId: string | null;
}

/** Adds a token, or makes a known one the newest. */
export async function upsertDeviceToken(
  tx: Queryable,
  organizationId: OrganizationId,
  userId: UserId,
  { kind, token, appId }: DeviceToken,
): Promise<void> {
  await tx.query(sql`
    insert into device_tokens (organization_id, user_id, kind, token, app_id)
    values (${organizationId}, ${userId}, ${kind}, ${token}, ${appId})
    on conflict (organization_id, user_id, kind, md5(token))
    do update set token = excluded.token, app_id = excluded.app_id, added_at = excluded.added_at`);
}

/** Whether the person has this token, of any kind. */
export async function isDeviceTokenOf(
  db: Queryable,
  organizationId: OrganizationId,
  userId: UserId,
  token: string,
): Promise<boolean> {
  const found = await db.query(sql`
    select 1 from device_tokens
    where organization_id = ${organizationId} and user_id = ${userId} and md5(token) = md5(${token}::text)
      and token = ${token}`);
  return found.length > 0;
}

/** Returns false if the person does not have the token. */
export async function deleteDeviceToken(
  tx: Queryable,
  organizationId: OrganizationId,
  userId: UserId,
  { kind, token }: Pick<DeviceToken, "kind" | "token">,
): Promise<boolean> {
  const deleted = await tx.query(sql`
    delete from device_tokens
    where organization_id = ${organizationId} and user_id = ${userId} and kind = ${kind}
      and md5(token) = md5(${token}::text) and token = ${token}
    returning 1`);
  return deleted.length > 0;
}

/** Deletes the tokens of a person beyond the newest `limit`. */
export async function deleteOldDeviceTokens(
  tx: Queryable,
  organizationId: OrganizationId,
  userId: UserId,
  limit: number,
): Promise<void> {
  await tx.query(sql`
    delete from device_tokens
    where organization_id = ${organizationId} and user_id = ${userId} and id in (
      select id from device_tokens
      where organization_id = ${organizationId} and user_id = ${userId}
      order by added_at desc, id desc offset ${limit}
    )`);
}

export async function deleteDeviceTokensOf(
  tx: Queryable,
  organizationId: OrganizationId,
  userIds: readonly UserId[],
): Promise<void> {
  await tx.query(sql`
    delete from device_tokens
    where organization_id = ${organizationId} and user_id = any(${userIds}::bigint[])`);
}
