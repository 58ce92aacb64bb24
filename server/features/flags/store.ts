import type { MessageId, OrganizationId, RecipientId, UserId } from "../../../api/ids.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { sql } from "../../platform/db/sql.ts";
import { personalFlags } from "../messages/model/message.ts";

/** All messages that a person has starred, ascending, including messages that they can't read now. */
export async function listStarred(
  tx: Queryable,
  organizationId: OrganizationId,
  userId: UserId,
): Promise<{ id: MessageId; recipientId: RecipientId; isDirect: boolean }[]> {
  return tx.query(sql`
    select m.id, m.recipient_id as "recipientId", m.topic_id is null as "isDirect"
    from message_flags f
    -- One look-up a star, whatever the statistics say: as a join, it may read all messages.
    cross join lateral (
      select * from messages where organization_id = f.organization_id and id = f.message_id offset 0
    ) m
    where f.organization_id = ${organizationId} and f.user_id = ${userId}
      and f.flags & ${personalFlags.starred}::int <> 0
    order by m.id`);
}
