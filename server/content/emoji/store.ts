import type { OrganizationId, UserId } from "../../../api/ids.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { sql } from "../../platform/db/sql.ts";

export interface CustomEmojiRow {
  id: number;
  /** Unique among the active ones. */
  name: string;
  fileName: string;
  isAnimated: boolean;
  authorId: UserId | null;
  /** A deactivated emoji stays for the messages and reactions that use it. */
  isActive: boolean;
}

/** What a picture of an emoji is stored as. */
export type EmojiPicture = Pick<CustomEmojiRow, "fileName" | "isAnimated">;

export async function insertCustomEmoji(
  tx: Queryable,
  organizationId: OrganizationId,
  emoji: EmojiPicture & { name: string; authorId: UserId },
): Promise<CustomEmojiRow> {
  const [row] = await tx.query<{ id: number }>(sql`
    insert into custom_emoji (organization_id, name, file_name, is_animated, author_id)
    values (${organizationId}, ${emoji.name}, ${emoji.fileName}, ${emoji.isAnimated}, ${emoji.authorId})
    returning id`);
  return { id: (row as { id: number }).id, ...emoji, isActive: true };
}

export async function listCustomEmoji(
  tx: Queryable,
  organizationId: OrganizationId,
): Promise<CustomEmojiRow[]> {
  return tx.query(sql`
    select id, name, file_name as "fileName", is_animated as "isAnimated", author_id as "authorId",
      deactivated_at is null as "isActive"
    from custom_emoji where organization_id = ${organizationId} order by id`);
}

/** Whether any emoji, also one out of use, has the picture. */
export async function isPictureUsed(
  tx: Queryable,
  organizationId: OrganizationId,
  fileName: string,
): Promise<boolean> {
  const rows = await tx.query(sql`
    select id from custom_emoji where organization_id = ${organizationId} and file_name = ${fileName} limit 1`);
  return rows.length > 0;
}

export async function updateAsDeactivated(
  tx: Queryable,
  organizationId: OrganizationId,
  id: number,
): Promise<void> {
  await tx.query(sql`
    update custom_emoji set deactivated_at = now() where organization_id = ${organizationId} and id = ${id}`);
}

export async function hasCustomEmoji(db: Queryable): Promise<boolean> {
  const rows = await db.query(sql`select from custom_emoji limit 1`);
  return rows.length > 0;
}
