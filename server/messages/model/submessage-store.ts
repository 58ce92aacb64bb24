import type { MessageId, OrganizationId } from "../../../api/ids.ts";
import { int4Array, int8Array, textArray } from "../../platform/db/array.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { type Sql, sql } from "../../platform/db/sql.ts";
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

/** A message's first submessage, in a batch. `ordinal`: the number of its message, counted from 1. */
export interface BatchSubmessage extends Pick<Submessage, "senderId" | "kind" | "content"> {
  ordinal: number;
}

/**
 * For `compiled`: writes first submessages of a batch of messages, where the message with a number has the id
 * `log.base + ordinal`.
 */
export function submessagesOfBatch<I>(
  organizationId: (input: I) => OrganizationId,
  submessages: (input: I) => readonly BatchSubmessage[],
): Sql {
  return sql`
    insert into submessages (organization_id, message_id, sender_id, kind, content)
    select ${organizationId}, log.base + s.ordinal, s.sender_id, s.kind, s.content
    from log, unnest(
      ${(input: I) => int4Array(submessages(input).map(({ ordinal }) => ordinal))}::int[],
      ${(input: I) => int8Array(submessages(input).map(({ senderId }) => senderId))}::bigint[],
      ${(input: I) => textArray(submessages(input).map(({ kind }) => kind))}::text[],
      ${(input: I) => textArray(submessages(input).map(({ content }) => content))}::text[]
    ) as s (ordinal, sender_id, kind, content)
    returning message_id, id`;
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
