import type {
  ConversationId,
  MessageId,
  OrganizationId,
  Position,
  RecipientId,
  TopicId,
  UserId,
} from "../../../../api/ids.ts";
import { int4Array, int8Array, textArray } from "../../../platform/db/array.ts";
import type { Queryable } from "../../../platform/db/database.ts";
import { prepare, type Sql, sql } from "../../../platform/db/sql.ts";
import { type Message, messageFacts } from "./message.ts";

/** A message on its way into the log. */
export interface NewMessage {
  recipientId: RecipientId;
  topicId: TopicId | null;
  senderId: UserId;
  client: string;
  facts: number;
  content: string;
  renderedContent: string;
  mentionedGroupIds: number[] | null;
  localQueueId: string | null;
  localId: string | null;
  /** Bits of `personalFlags` by person. */
  personal: readonly (readonly [UserId, number])[];
  /** The first submessage of a message that people can act on, as JSON; it is for sendAlone to write. */
  widget: string | null;
}

/**
 * Writes a batch of messages and gives out their ids: one statement, one commit, one row a message.
 * LOCK: the organization's row in organization_logs, for the statement and its commit.
 * Returns undefined, and writes nothing, when the nodes' memory has changed since `expectedStateHead`: what was checked
 * then must be checked again.
 */
export async function insertMessages(
  db: Queryable,
  organizationId: OrganizationId,
  messages: readonly NewMessage[],
  options: { expectedStateHead: Position; sentAt: Date },
): Promise<{ base: Position; head: Position } | undefined> {
  const personal = messages.flatMap((message, index) =>
    message.personal.map(([userId, flags]) => ({ ordinal: index + 1, userId, flags })),
  );
  const [row] = await db.query<{ base: Position; head: Position }>(sql`
    with log as (
      update organization_logs set head = head + ${messages.length}::int
      where organization_id = ${organizationId} and state_head = ${options.expectedStateHead}
      returning head - ${messages.length}::int as base, head
    ), written as (
      insert into messages (organization_id, id, recipient_id, topic_id, sender_id, client, sent_at, facts, content,
        rendered_content, mentioned_group_ids, local_queue_id, local_id)
      select ${organizationId}, log.base + m.ordinality, m.recipient_id, m.topic_id, m.sender_id, m.client,
        ${options.sentAt}, m.facts, m.content, m.rendered_content, m.mentioned_group_ids::bigint[], m.local_queue_id::uuid,
        m.local_id
      from log, unnest(
        ${int8Array(messages.map((message) => message.recipientId))}::bigint[],
        ${int8Array(messages.map((message) => message.topicId))}::bigint[],
        ${int8Array(messages.map((message) => message.senderId))}::bigint[],
        ${textArray(messages.map((message) => message.client))}::text[],
        ${int4Array(messages.map((message) => message.facts))}::int[],
        ${textArray(messages.map((message) => message.content))}::text[],
        ${textArray(messages.map((message) => message.renderedContent))}::text[],
        ${textArray(messages.map((message) => message.mentionedGroupIds && `{${message.mentionedGroupIds.join()}}`))}::text[],
        ${textArray(messages.map((message) => message.localQueueId))}::text[],
        ${textArray(messages.map((message) => message.localId))}::text[]
      ) with ordinality as m (recipient_id, topic_id, sender_id, client, facts, content, rendered_content,
        mentioned_group_ids, local_queue_id, local_id, ordinality)
    ), flagged as (
      insert into message_flags (organization_id, user_id, message_id, flags)
      select ${organizationId}, p.user_id, log.base + p.ordinal, p.flags
      from log, unnest(
        ${int4Array(personal.map((each) => each.ordinal))}::int[],
        ${int8Array(personal.map((each) => each.userId))}::bigint[],
        ${int4Array(personal.map((each) => each.flags))}::int[]
      ) as p (ordinal, user_id, flags)
    )
    select base, head from log`);
  return row;
}

/** Writes messages as entries of a transaction that has taken its positions: the first gets the position after `base`. */
export async function insertMessagesAfter(
  tx: Queryable,
  organizationId: OrganizationId,
  base: Position,
  messages: readonly NewMessage[],
  sentAt: Date,
): Promise<void> {
  const rows = messages.map((message, index) => ({
    id: base + index + 1,
    recipientId: message.recipientId,
    topicId: message.topicId,
    senderId: message.senderId,
    client: message.client,
    facts: message.facts,
    content: message.content,
    renderedContent: message.renderedContent,
    mentionedGroupIds: message.mentionedGroupIds,
    localQueueId: message.localQueueId,
    localId: message.localId,
  }));
  await tx.query(sql`
    insert into messages (organization_id, id, recipient_id, topic_id, sender_id, client, sent_at, facts, content,
      rendered_content, mentioned_group_ids, local_queue_id, local_id)
    select ${organizationId}, m."id", m."recipientId", m."topicId", m."senderId", m."client", ${sentAt}, m."facts",
      m."content", m."renderedContent", m."mentionedGroupIds", m."localQueueId", m."localId"
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as m ("id" bigint, "recipientId" bigint, "topicId" bigint,
      "senderId" bigint, "client" text, "facts" int, "content" text, "renderedContent" text,
      "mentionedGroupIds" bigint[], "localQueueId" uuid, "localId" text)`);
  const personal = messages.flatMap((message, index) =>
    message.personal.map(([userId, flags]) => ({ id: base + index + 1, userId, flags })),
  );
  if (personal.length === 0) return;
  await tx.query(sql`
    insert into message_flags (organization_id, user_id, message_id, flags)
    select ${organizationId}, p.user_id, p.id, p.flags
    from unnest(${personal.map(({ id }) => id)}::bigint[], ${personal.map(({ userId }) => userId)}::bigint[],
      ${personal.map(({ flags }) => flags)}::int[]) as p (id, user_id, flags)`);
}

export interface MessageRow {
  id: MessageId;
  recipientId: RecipientId;
  topicId: TopicId | null;
  topic: string | null;
  senderId: UserId;
  client: string;
  sentAt: Date;
  facts: number;
  content: string;
  renderedContent: string;
  mentionedGroupIds: Message["mentionedGroupIds"];
  localQueueId: string | null;
  localId: string | null;
  editedAt: Date | null;
  movedAt: Date | null;
}

/** `messageColumns` but for the texts. */
export const shortColumns: Sql = sql`m.id, m.recipient_id as "recipientId", m.topic_id as "topicId", t.name as topic,
  m.sender_id as "senderId", m.client, m.sent_at as "sentAt", m.facts, m.mentioned_group_ids as "mentionedGroupIds",
  m.local_queue_id as "localQueueId", m.local_id as "localId", m.edited_at as "editedAt", m.moved_at as "movedAt"`;

/** For `select ${messageColumns} from messages m left join topics t …` with `topicJoin`. */
export const messageColumns: Sql = sql`${shortColumns}, m.content, m.rendered_content as "renderedContent"`;

export const topicJoin: Sql = sql`left join topics t on t.organization_id = m.organization_id and t.id = m.topic_id`;

export function toMessage(row: MessageRow): Message {
  return {
    id: row.id,
    recipientId: row.recipientId,
    topicId: row.topicId,
    topic: row.topic ?? "",
    senderId: row.senderId,
    client: row.client,
    sentAt: Math.floor(row.sentAt.getTime() / 1000),
    facts: row.facts,
    content: row.content,
    renderedContent: row.renderedContent,
    mentionedGroupIds: row.mentionedGroupIds,
    editedAt: row.editedAt && Math.floor(row.editedAt.getTime() / 1000),
    movedAt: row.movedAt && Math.floor(row.movedAt.getTime() / 1000),
  };
}

/** Messages as entries of the log, with the people whom they concern personally. */
export async function readMessageLog(
  tx: Queryable,
  organizationId: OrganizationId,
  after: Position,
  upTo: Position,
  limit: number,
): Promise<(MessageRow & { personal: [UserId, number][] | null; userIds: UserId[] | null })[]> {
  const statement = sql`
    select ${messageColumns}, c.user_ids as "userIds",
      (select json_agg(json_build_array(f.user_id, f.flags)) from message_flags f
       where f.organization_id = m.organization_id and f.message_id = m.id) as personal
    from messages m ${topicJoin}
    left join conversations c on m.topic_id is null and c.organization_id = m.organization_id and c.id = m.recipient_id
    where m.organization_id = ${organizationId} and m.id > ${after} and m.id <= ${upTo}
    order by m.id limit ${limit}`;
  return tx.query(prepare(statement));
}

/** The conversation of exactly these people, sorted by id; made if it is new. */
export async function findOrInsertConversation(
  db: Queryable,
  organizationId: OrganizationId,
  userIds: readonly UserId[],
): Promise<ConversationId> {
  const [row] = await db.query<{ id: ConversationId }>(sql`
    with made as (
      insert into conversations (organization_id, user_ids) values (${organizationId}, ${userIds})
      on conflict do nothing returning id
    ), members as (
      insert into conversation_members (organization_id, user_id, conversation_id)
      select ${organizationId}, user_id, made.id from made, unnest(${userIds}::bigint[]) as user_id
    )
    select id from made
    union all
    select id from conversations where organization_id = ${organizationId} and user_ids = ${userIds}::bigint[]
    limit 1`);
  if (row) return row.id;
  // Somebody else made it while this statement ran, after its snapshot was taken.
  return (await findConversation(db, organizationId, userIds)) as ConversationId;
}

export async function findConversation(
  db: Queryable,
  organizationId: OrganizationId,
  userIds: readonly UserId[],
): Promise<ConversationId | undefined> {
  const [row] = await db.query<{ id: ConversationId }>(sql`
    select id from conversations where organization_id = ${organizationId} and user_ids = ${userIds}::bigint[]`);
  return row?.id;
}

export async function clearReadBySender(
  tx: Queryable,
  organizationId: OrganizationId,
  senderId: UserId,
  ids: readonly MessageId[],
): Promise<void> {
  const rows = sql`organization_id = ${organizationId} and sender_id = ${senderId} and id = any(${ids}::bigint[])`;
  // LOCK: the rows, always in one order.
  await tx.query(sql`select from messages where ${rows} order by id for update`);
  await tx.query(sql`update messages set facts = facts & ~${messageFacts.readBySender}::int where ${rows}`);
}

export async function hasMessages(
  db: Queryable,
  organizationId: OrganizationId,
  recipientId: RecipientId,
): Promise<boolean> {
  const [row] = await db.query(sql`
    select from messages where organization_id = ${organizationId} and recipient_id = ${recipientId} limit 1`);
  return row !== undefined;
}

/** Whether a topic, or without one a channel or conversation, has more than so many messages. */
export async function hasMoreThan(
  db: Queryable,
  organizationId: OrganizationId,
  { recipientId, topicId }: { recipientId: RecipientId; topicId: TopicId | undefined },
  count: number,
): Promise<boolean> {
  const place = topicId === undefined ? sql`recipient_id = ${recipientId}` : sql`topic_id = ${topicId}`;
  const [row] = await db.query(sql`
    select from messages where organization_id = ${organizationId} and ${place} order by id offset ${count} limit 1`);
  return row !== undefined;
}

/** The conversations that all of these people are in, with others or without. */
export async function listSharedConversations(
  db: Queryable,
  organizationId: OrganizationId,
  userIds: readonly UserId[],
): Promise<ConversationId[]> {
  const rows = await db.query<{ id: ConversationId }>(sql`
    select conversation_id as id from conversation_members
    where organization_id = ${organizationId} and user_id = any(${userIds}::bigint[])
    group by conversation_id having count(*) = ${userIds.length}`);
  return rows.map(({ id }) => id);
}

/** The first message with from <= id < before. */
export async function probeFrom(
  db: Queryable,
  organizationId: OrganizationId,
  from: number,
  before: number,
): Promise<{ id: MessageId; sentAt: Date } | undefined> {
  const [row] = await db.query<{ id: MessageId; sentAt: Date }>(sql`
    select id, sent_at as "sentAt" from messages
    where organization_id = ${organizationId} and id >= ${from} and id < ${before} order by id limit 1`);
  return row;
}
