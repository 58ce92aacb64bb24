import type { MessageId, OrganizationId } from "../../../api/ids.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { sql } from "../../platform/db/sql.ts";
import type { Submessage } from "./submessages.ts";

export async function insertSubmessage(
  tx: Queryable,
  organizationId: OrganizationId,
  submessage: Omit<Submessage, "id">,
): Promise<Submessage> {
  const { messageId, senderId, kind, content } = submessage;
  const [row] = await tx.query<{ id: number }>(sql`
    insert into submessages (organization_id, message_id, sender_id, kind, content)
    values (${organizationId}, ${messageId}, ${senderId}, ${kind}, ${content})
    returning id`);
  return { id: (row as { id: number }).id, messageId, senderId, kind, content };
}

/** All submessages of these messages, each message's in the order in which they came. */
export async function listSubmessages(
  tx: Queryable,
  organizationId: OrganizationId,
  messageIds: readonly MessageId[],
): Promise<Submessage[]> {
  return tx.query(sql`
    select id, message_id as "messageId", sender_id as "senderId", kind, content
    from submessages where organization_id = ${organizationId} and message_id = any(${messageIds}::bigint[])
    order by message_id, id`);
}

/** What each of these messages was sent with, if it was with anything. */
export async function listFirstSubmessages(
  tx: Queryable,
  organizationId: OrganizationId,
  messageIds: readonly MessageId[],
): Promise<Submessage[]> {
  return tx.query(sql`
    select distinct on (message_id) id, message_id as "messageId", sender_id as "senderId", kind, content
    from submessages where organization_id = ${organizationId} and message_id = any(${messageIds}::bigint[])
    order by message_id, id`);
}

export async function countSubmessages(
  tx: Queryable,
  organizationId: OrganizationId,
  messageId: MessageId,
): Promise<number> {
  const [row] = await tx.query<{ count: number }>(sql`
    select count(*) as count from submessages
    where organization_id = ${organizationId} and message_id = ${messageId}`);
  return (row as { count: number }).count;
}
