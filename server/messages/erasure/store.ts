import type { MessageId, OrganizationId, UserId } from "../../../api/ids.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { sql } from "../../platform/db/sql.ts";
import type { DeletedMessage } from "../delete/events.ts";
import type { Text } from "./neutral-name.ts";

/** Messages with ids after the first and up to the last. */
export interface Stretch {
  after: number;
  upTo: number;
}

export async function countMessagesOf(
  db: Queryable,
  organizationId: OrganizationId,
  userId: UserId,
): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`
    select count(*)::int as count from messages
    where organization_id = ${organizationId} and sender_id = ${userId}`);
  return row?.count ?? 0;
}

/** Some of a person's messages, the oldest first, with their places. */
export async function listMessagesOf(
  tx: Queryable,
  organizationId: OrganizationId,
  userId: UserId,
  limit: number,
): Promise<DeletedMessage[]> {
  return tx.query(sql`
    select m.id, m.recipient_id as "recipientId", m.topic_id as "topicId", t.name as topic, c.user_ids as "userIds"
    from (
      select organization_id, id, recipient_id, topic_id from messages
      where organization_id = ${organizationId} and sender_id = ${userId} order by id limit ${limit}
    ) m
    left join topics t on t.organization_id = m.organization_id and t.id = m.topic_id
    left join conversations c on c.organization_id = m.organization_id and c.id = m.recipient_id`);
}

/** The last of the next messages after one; undefined if there is none. */
export async function findStretchEnd(
  db: Queryable,
  organizationId: OrganizationId,
  after: number,
  limit: number,
): Promise<number | undefined> {
  const [row] = await db.query<{ upTo: number | null }>(sql`
    select max(id) as "upTo" from (
      select id from messages where organization_id = ${organizationId} and id > ${after} order by id limit ${limit}
    ) as next`);
  return row?.upTo ?? undefined;
}

/** Messages whose text, or an earlier one, mentions somebody. `mention`: what the HTML of a mention has. */
export async function listMentioning(
  db: Queryable,
  organizationId: OrganizationId,
  { after, upTo }: Stretch,
  mention: string,
): Promise<MessageId[]> {
  const rows = await db.query<{ id: MessageId }>(sql`
    select id from messages
    where organization_id = ${organizationId} and id > ${after} and id <= ${upTo}
      and position(${mention} in rendered_content) > 0
    union
    select message_id from message_edits
    where organization_id = ${organizationId} and message_id > ${after} and message_id <= ${upTo}
      and position(${mention} in previous_rendered_content) > 0
    order by id`);
  return rows.map(({ id }) => id);
}

export interface EarlierText extends Text {
  id: number;
  messageId: MessageId;
}

export async function listEarlierTexts(
  tx: Queryable,
  organizationId: OrganizationId,
  messageIds: readonly MessageId[],
  mention: string,
): Promise<EarlierText[]> {
  return tx.query(sql`
    select id, message_id as "messageId", previous_content as content, previous_rendered_content as html
    from message_edits
    where organization_id = ${organizationId} and message_id = any(${messageIds}::bigint[])
      and position(${mention} in previous_rendered_content) > 0`);
}

export async function updateEarlierText(
  tx: Queryable,
  organizationId: OrganizationId,
  { id, messageId, content, html }: EarlierText,
): Promise<void> {
  await tx.query(sql`
    update message_edits set previous_content = ${content}, previous_rendered_content = ${html}
    where organization_id = ${organizationId} and message_id = ${messageId} and id = ${id}`);
}

/** Changes a text where nobody has edited it. The time of the last edit stays. */
export async function updateText(
  tx: Queryable,
  organizationId: OrganizationId,
  id: MessageId,
  { content, html }: Text,
): Promise<void> {
  await tx.query(sql`
    update messages set content = ${content}, rendered_content = ${html}
    where organization_id = ${organizationId} and id = ${id}`);
}

/** Deletes what a person's messages said before. Where they were moved from stays. */
export async function deleteEarlierTexts(
  tx: Queryable,
  organizationId: OrganizationId,
  { after, upTo }: Stretch,
  userId: UserId,
): Promise<void> {
  await tx.query(sql`
    delete from message_edits e using messages m
    where e.organization_id = ${organizationId} and e.message_id > ${after} and e.message_id <= ${upTo}
      and e.previous_content is not null and e.previous_topic is null and e.previous_channel_id is null
      and m.organization_id = e.organization_id and m.id = e.message_id and m.sender_id = ${userId}`);
  await tx.query(sql`
    update message_edits e set previous_content = null, previous_rendered_content = null
    from messages m
    where e.organization_id = ${organizationId} and e.message_id > ${after} and e.message_id <= ${upTo}
      and e.previous_content is not null
      and m.organization_id = e.organization_id and m.id = e.message_id and m.sender_id = ${userId}`);
}

/** Deletes what a person added to these messages: options, tasks and votes. */
export async function deleteAdditionsOf(
  tx: Queryable,
  organizationId: OrganizationId,
  { after, upTo }: Stretch,
  userId: UserId,
): Promise<void> {
  await tx.query(sql`
    delete from submessages
    where organization_id = ${organizationId} and message_id > ${after} and message_id <= ${upTo}
      and sender_id = ${userId}`);
}
