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

export async function listCustomEmoji(
  tx: Queryable,
  organizationId: OrganizationId,
): Promise<CustomEmojiRow[]> {
  return tx.query(sql`
    select id, name, file_name as "fileName", is_animated as "isAnimated", author_id as "authorId",
      deactivated_at is null as "isActive"
    from custom_emoji where organization_id = ${organizationId} order by id`);
}
