import type { OrganizationId, UserId } from "../../../api/ids.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { sql } from "../../platform/db/sql.ts";

export interface AlertWordRow {
  userId: UserId;
  word: string;
}

/** The words of everybody or of one person, in alphabetical order. */
export async function listAlertWords(
  tx: Queryable,
  organizationId: OrganizationId,
  userId?: UserId,
): Promise<AlertWordRow[]> {
  return tx.query(sql`
    select user_id as "userId", word from alert_words
    where organization_id = ${organizationId} and (${userId ?? null}::bigint is null or user_id = ${userId ?? null})
    order by user_id, lower(word)`);
}

export async function insertAlertWords(
  tx: Queryable,
  organizationId: OrganizationId,
  userId: UserId,
  words: readonly string[],
): Promise<void> {
  await tx.query(sql`
    insert into alert_words (organization_id, user_id, word)
    select ${organizationId}, ${userId}, word from unnest(${words}::text[]) as word`);
}

export async function deleteAlertWords(
  tx: Queryable,
  organizationId: OrganizationId,
  userId: UserId,
  words: readonly string[],
): Promise<void> {
  await tx.query(sql`
    delete from alert_words
    where organization_id = ${organizationId} and user_id = ${userId} and word = any(${words}::text[])`);
}
