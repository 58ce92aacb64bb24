import type { OrganizationId, UserId } from "../../../api/ids.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { sql } from "../../platform/db/sql.ts";

export interface CustomEmojiRow {
  id: number;
  /** Among those in use there is only one with this name. */
  name: string;
  fileName: string;
  isAnimated: boolean;
  authorId: UserId | null;
  /** What is no longer in use stays for the messages and reactions that have it. */
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
