import type { OrganizationId, UserId } from "../../../api/ids.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { sql } from "../../platform/db/sql.ts";
import type { UserStatus } from "./user-statuses.ts";

export async function listUserStatuses(
  tx: Queryable,
  organizationId: OrganizationId,
): Promise<(UserStatus & { userId: UserId })[]> {
  return tx.query(sql`
    select user_id as "userId", status_text as "text", emoji_name as "emojiName", emoji_code as "emojiCode",
      reaction_type as "reactionType"
    from user_statuses where organization_id = ${organizationId}`);
}

export async function upsertUserStatus(
  tx: Queryable,
  organizationId: OrganizationId,
  userId: UserId,
  { text, emojiName, emojiCode, reactionType }: UserStatus,
): Promise<void> {
  await tx.query(sql`
    insert into user_statuses (organization_id, user_id, status_text, emoji_name, emoji_code, reaction_type)
    values (${organizationId}, ${userId}, ${text}, ${emojiName}, ${emojiCode}, ${reactionType})
    on conflict (organization_id, user_id) do update set status_text = excluded.status_text,
      emoji_name = excluded.emoji_name, emoji_code = excluded.emoji_code, reaction_type = excluded.reaction_type`);
}

export async function deleteUserStatus(
  tx: Queryable,
  organizationId: OrganizationId,
  userId: UserId,
): Promise<void> {
  await tx.query(
    sql`delete from user_statuses where organization_id = ${organizationId} and user_id = ${userId}`,
  );
}
