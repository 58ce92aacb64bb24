import type { ChannelId, MessageId, OrganizationId, RecipientId, TopicId } from "../../../api/ids.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { sql } from "../../platform/db/sql.ts";
import type { DeletedMessage } from "./events.ts";

export interface LockedMessage {
  id: MessageId;
  recipientId: RecipientId;
  topicId: TopicId | null;
}

/**
 * LOCK: the messages' rows, always in one order, to the end of the transaction. Returns the messages that
 * still exist, with their places.
 */
export async function lockMessages(
  tx: Queryable,
  organizationId: OrganizationId,
  ids: readonly MessageId[],
): Promise<LockedMessage[]> {
  return tx.query(sql`
    select id, recipient_id as "recipientId", topic_id as "topicId" from messages
    where organization_id = ${organizationId} and id = any(${ids}::bigint[])
    order by id for update`);
}

export async function findFirstId(
  tx: Queryable,
  organizationId: OrganizationId,
  channelId: ChannelId,
): Promise<MessageId | undefined> {
  const [row] = await tx.query<{ id: MessageId }>(sql`
    select id from messages where organization_id = ${organizationId} and recipient_id = ${channelId}
    order by id limit 1`);
  return row?.id;
}

/** The newest messages of a topic within these ID ranges, which don't overlap. */
export async function listTopicMessages(
  tx: Queryable,
  organizationId: OrganizationId,
  topicId: TopicId,
  idRanges: readonly { after: number; before: number }[],
  limit: number,
): Promise<DeletedMessage[]> {
  return tx.query(sql`
    select m.id, m.recipient_id as "recipientId", t.id as "topicId", t.name as topic, null as "userIds"
    from unnest(${idRanges.map(({ after }) => after)}::bigint[], ${idRanges.map(({ before }) => before)}::bigint[])
      as id_range (after, before)
    cross join lateral (
      select id, recipient_id from messages
      where organization_id = ${organizationId} and topic_id = ${topicId}
        and id > id_range.after and id < id_range.before
      order by id desc limit ${limit}
    ) m
    join topics t on t.organization_id = ${organizationId} and t.id = ${topicId}
    order by m.id desc limit ${limit}`);
}

/**
 * How many of these messages, from the first on, have at most so many flags, reactions and edits together. At
 * least one.
 */
export async function countWithin(
  tx: Queryable,
  organizationId: OrganizationId,
  ids: readonly MessageId[],
  maxRows: number,
): Promise<number> {
  const ofMessage = sql`organization_id = ${organizationId} and message_id = message.id limit ${maxRows + 1}`;
  const counts = await tx.query<{ number: number; rows: number }>(sql`
    select number::int, count(*)::int as rows from (
      select message.number from unnest(${ids}::bigint[]) with ordinality as message (id, number)
      cross join lateral (
        (select 1 from message_flags where ${ofMessage})
        union all (select 1 from reactions where ${ofMessage})
        union all (select 1 from message_edits where ${ofMessage})
      ) as addition
      limit ${maxRows + 1}
    ) as counted
    group by number order by number`);
  const total = counts.reduce((sum, { rows }) => sum + rows, 0);
  // The last message that was counted may have more rows.
  return total <= maxRows ? ids.length : Math.max(1, (counts.at(-1)?.number ?? 0) - 1);
}

/** Deletes messages with all data that belongs to them. */
export async function deleteMessageRows(
  tx: Queryable,
  organizationId: OrganizationId,
  ids: readonly MessageId[],
): Promise<void> {
  const ofMessages = sql`organization_id = ${organizationId} and message_id = any(${ids}::bigint[])`;
  await tx.query(sql`delete from message_flags where ${ofMessages}`);
  await tx.query(sql`delete from reactions where ${ofMessages}`);
  await tx.query(sql`delete from submessages where ${ofMessages}`);
  await tx.query(sql`delete from message_edits where ${ofMessages}`);
  await tx.query(sql`delete from search_words where ${ofMessages}`);
  await tx.query(
    sql`delete from messages where organization_id = ${organizationId} and id = any(${ids}::bigint[])`,
  );
}
