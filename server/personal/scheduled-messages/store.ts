import type { ChannelId, OrganizationId, ScheduledMessageId, UserId } from "../../../api/ids.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { PersonalRows } from "../../platform/db/personal-rows.ts";
import { sql } from "../../platform/db/sql.ts";

/** Either a channel and a topic, or the people of a direct message, the sender among them. */
export interface NewScheduledMessage {
  senderId: UserId;
  channelId: ChannelId | null;
  topic: string | null;
  userIds: readonly UserId[] | null;
  content: string;
  renderedContent: string;
  client: string;
  readBySender: boolean;
  deliverAt: Date;
}

export interface ScheduledMessage extends NewScheduledMessage {
  id: ScheduledMessageId;
  isFailed: boolean;
}

const columns = sql`id, sender_id as "senderId", channel_id as "channelId", topic, user_ids as "userIds", content,
  rendered_content as "renderedContent", client, read_by_sender as "readBySender", deliver_at as "deliverAt",
  is_failed as "isFailed"`;

export async function insertScheduledMessage(
  tx: Queryable,
  organizationId: OrganizationId,
  message: NewScheduledMessage,
): Promise<ScheduledMessage> {
  const [row] = await tx.query<ScheduledMessage>(sql`
    insert into scheduled_messages (organization_id, sender_id, channel_id, topic, user_ids, content, rendered_content,
      client, read_by_sender, deliver_at)
    values (${organizationId}, ${message.senderId}, ${message.channelId}, ${message.topic},
      ${message.userIds}::bigint[], ${message.content}, ${message.renderedContent}, ${message.client},
      ${message.readBySender}, ${message.deliverAt})
    returning ${columns}`);
  return row as ScheduledMessage;
}

/**
 * Anybody's message, or only one person's. LOCK: the row, to the end of the transaction. So a change and the
 * delivery of a message come one after the other.
 */
export async function lockScheduledMessage(
  tx: Queryable,
  organizationId: OrganizationId,
  id: number,
  senderId?: UserId,
): Promise<ScheduledMessage | undefined> {
  const [row] = await tx.query<ScheduledMessage>(sql`
    select ${columns} from scheduled_messages
    where organization_id = ${organizationId} and id = ${id}
      and (${senderId ?? null}::bigint is null or sender_id = ${senderId ?? null})
    for update`);
  return row;
}

/** Everybody's messages to a topic, whatever its spelling. LOCK: the rows, to the end of the transaction. */
export async function lockMessagesForTopic(
  tx: Queryable,
  organizationId: OrganizationId,
  { channelId, topic }: { channelId: ChannelId; topic: string },
  limit: number,
): Promise<ScheduledMessage[]> {
  return tx.query(sql`
    select ${columns} from scheduled_messages
    where organization_id = ${organizationId} and channel_id = ${channelId}
      and fold_name(topic) = fold_name(${topic})
    order by id limit ${limit} for update`);
}

/** Everybody's next messages after one, and whether they mention somebody: their HTML has `mention`. */
export async function listNextScheduledMessages(
  db: Queryable,
  organizationId: OrganizationId,
  mention: string,
  { after, limit }: { after: number; limit: number },
): Promise<{ id: ScheduledMessageId; mentions: boolean }[]> {
  return db.query(sql`
    select id, position(${mention} in rendered_content) > 0 as mentions from scheduled_messages
    where organization_id = ${organizationId} and id > ${after} order by id limit ${limit}`);
}

/** One person's messages, the next one first. */
export const ownScheduledMessages = new PersonalRows<ScheduledMessage>(
  (organizationId, senderId) => sql`
    select ${columns} from scheduled_messages
    where organization_id = ${organizationId} and sender_id = ${senderId} order by deliver_at, id`,
  ["deliverAt"],
);

export async function countScheduledMessages(
  db: Queryable,
  organizationId: OrganizationId,
  senderId: UserId,
): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`
    select count(*)::int as count from scheduled_messages
    where organization_id = ${organizationId} and sender_id = ${senderId}`);
  return row?.count ?? 0;
}

export async function updateScheduledMessage(
  tx: Queryable,
  organizationId: OrganizationId,
  message: ScheduledMessage,
): Promise<void> {
  await tx.query(sql`
    update scheduled_messages set channel_id = ${message.channelId}, topic = ${message.topic},
      user_ids = ${message.userIds}::bigint[], content = ${message.content},
      rendered_content = ${message.renderedContent}, deliver_at = ${message.deliverAt}, is_failed = ${message.isFailed}
    where organization_id = ${organizationId} and id = ${message.id}`);
}

export async function deleteScheduledMessage(
  tx: Queryable,
  organizationId: OrganizationId,
  id: ScheduledMessageId,
): Promise<void> {
  await tx.query(
    sql`delete from scheduled_messages where organization_id = ${organizationId} and id = ${id}`,
  );
}
