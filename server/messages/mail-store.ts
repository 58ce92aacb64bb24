import type { MessageId, OrganizationId, UserId } from "../../api/ids.ts";
import type { Queryable } from "../platform/db/database.ts";
import { sql } from "../platform/db/sql.ts";
import type { MessageRow } from "./model/columns.ts";
import { PERSONAL_MENTIONS } from "./model/message.ts";

/** The newest messages of a topic, or of a channel or conversation, before another one. Oldest first. */
export async function listIdsBefore(
  tx: Queryable,
  organizationId: OrganizationId,
  { id, recipientId, topicId }: Pick<MessageRow, "id" | "recipientId" | "topicId">,
  limit: number,
): Promise<MessageId[]> {
  const place = topicId === null ? sql`recipient_id = ${recipientId}` : sql`topic_id = ${topicId}`;
  const rows = await tx.query<{ id: MessageId }>(sql`
    select id from messages
    where organization_id = ${organizationId} and ${place} and id < ${id} order by id desc limit ${limit}`);
  return rows.map((row) => row.id).reverse();
}

/** When somebody last wrote anything. undefined: never. */
export async function findLastSentAt(
  tx: Queryable,
  organizationId: OrganizationId,
  senderId: UserId,
): Promise<Date | undefined> {
  const [row] = await tx.query<{ sentAt: Date }>(sql`
    select sent_at as "sentAt" from messages
    where organization_id = ${organizationId} and sender_id = ${senderId} order by id desc limit 1`);
  return row?.sentAt;
}

/**
 * The people whom these messages mention by name, or with those who take part in a topic: bits of
 * `personalFlags`.
 */
export async function listMentioned(
  tx: Queryable,
  organizationId: OrganizationId,
  ids: readonly MessageId[],
): Promise<{ messageId: MessageId; userId: UserId; personal: number }[]> {
  return tx.query(sql`
    select message_id as "messageId", user_id as "userId", flags as personal from message_flags
    where organization_id = ${organizationId} and message_id = any(${ids}::bigint[])
      and flags & ${PERSONAL_MENTIONS}::int <> 0`);
}
