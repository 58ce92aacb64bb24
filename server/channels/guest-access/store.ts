import type { OrganizationId, Position, UserId } from "../../../api/ids.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { sql } from "../../platform/db/sql.ts";

/** Somebody whom a guest got to know, or may no longer know of. */
export interface PastAccessChange {
  position: Position;
  userId: UserId;
  isLoss: boolean;
}

/** What a guest was told after a position of the log, in its order. */
export async function listAccessChanges(
  tx: Queryable,
  organizationId: OrganizationId,
  guestId: UserId,
  after: Position,
): Promise<PastAccessChange[]> {
  return tx.query(sql`
    select position, (payload->'person'->>'user_id')::bigint as "userId", payload->>'op' = 'remove' as "isLoss"
    from events
    where organization_id = ${organizationId} and position > ${after} and type = 'realm_user'
      and audience ? 'isAboutAccess' and audience->'userIds' @> to_jsonb(${guestId}::bigint)
    order by position`);
}
