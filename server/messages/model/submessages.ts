/**
 * What people add to messages that they can act on (widget.ts says what those are). The first submessage is
 * written with the message and says what kind it is. What people do adds more submessages
 * (server/messages/polls/). Clients read them in order and compute the result; the server keeps no votes.
 */
import type { MessageId, OrganizationId, UserId } from "../../../api/ids.ts";
import type { SubmessageRecord } from "../../../api/messages/message.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { sql } from "../../platform/db/sql.ts";

export interface Submessage {
  id: number;
  messageId: MessageId;
  senderId: UserId;
  /** `WIDGET_KIND`: there is no other so far. */
  kind: string;
  /** JSON. */
  content: string;
}

export const WIDGET_KIND = "widget";

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

export function presentSubmessage(submessage: Submessage): SubmessageRecord {
  return {
    id: submessage.id,
    message_id: submessage.messageId,
    sender_id: submessage.senderId,
    msg_type: submessage.kind,
    content: submessage.content,
  };
}
