import type { OrganizationId } from "../../api/ids.ts";
import type { Queryable } from "../db/database.ts";
import { sql } from "../db/sql.ts";
import type { CustomEmoji } from "./custom-emoji.ts";

export async function listCustomEmoji(tx: Queryable, organizationId: OrganizationId): Promise<CustomEmoji[]> {
  return tx.query(sql`
    select id, name, file_name as "fileName", is_animated as "isAnimated", author_id as "authorId",
      deactivated_at is null as "isActive"
    from custom_emoji where organization_id = ${organizationId} order by id`);
}
