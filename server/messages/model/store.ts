import type {
  ChannelId,
  ConversationId,
  MessageId,
  OrganizationId,
  Position,
  RecipientId,
  TopicId,
  UserId,
} from "../../../api/ids.ts";
import { int4Array, int8Array } from "../../platform/db/array.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { lockClasses, lockQuery } from "../../platform/db/locks.ts";
import { compiled, prepare, type Sql, sql } from "../../platform/db/sql.ts";
import { newestLogRow } from "../../platform/log/store.ts";
import {
  type MessageRow,
  messageColumns,
  type SentRow,
  sentNames,
  sentTable,
  sentValues,
  topicJoin,
} from "./columns.ts";
import { messageFacts } from "./message.ts";

/** A message on its way into the log. */
export interface NewMessage extends SentRow {
  /** Bits of `personalFlags` by person. */
  personal: readonly (readonly [UserId, number])[];
  /** The first submessage of a poll or task list, as JSON, which is not a part of the row. */
  widget: string | null;
}

/** What `batchTables` write. */
export interface MessageBatch extends WrittenMessages {
  expectedStateHead: Position;
}

/** What `messageTables` write. */
export interface WrittenMessages {
  organizationId: OrganizationId;
  messages: readonly NewMessage[];
  personal: readonly PersonalFlags[];
  sentAt: Date;
}

/** One person's flags on the message with this number in its batch. */
interface PersonalFlags {
  ordinal: number;
  userId: UserId;
  flags: number;
}

/**
 * For `compiled`: the tables of a `with` that write messages, the first at the position after `base` of the
 * table `log`.
 */
export function messageTables(): Sql {
  return sql`
  written as (
    insert into messages (organization_id, id, sent_at, ${sentNames})
    select ${({ organizationId }: WrittenMessages) => organizationId}, log.base + m.ordinality, ${({ sentAt }: WrittenMessages) => sentAt},
      ${sentValues}
    from log, ${sentTable<WrittenMessages>(({ messages }) => messages)}
  ), flagged as (
    insert into message_flags (organization_id, user_id, message_id, flags)
    select ${({ organizationId }: WrittenMessages) => organizationId}, p.user_id, log.base + p.ordinal, p.flags
    from log, unnest(
      ${({ personal }: WrittenMessages) => int4Array(personal.map((each) => each.ordinal))}::int[],
      ${({ personal }: WrittenMessages) => int8Array(personal.map((each) => each.userId))}::bigint[],
      ${({ personal }: WrittenMessages) => int4Array(personal.map((each) => each.flags))}::int[]
    ) as p (ordinal, user_id, flags)
  )`;
}

/**
 * For `compiled`: the tables of a `with` that take positions for messages and write them. `log` has one row,
 * or none when the state has changed.
 */
export const batchTables: Sql = sql`
  log as (
    update organization_logs set head = head + ${({ messages }: MessageBatch) => messages.length}::int
    where ${newestLogRow(({ organizationId }: MessageBatch) => organizationId)}
      and state_head = ${({ expectedStateHead }: MessageBatch) => expectedStateHead}
    returning head - ${({ messages }: MessageBatch) => messages.length}::int as base, head
  ), ${messageTables()}`;

const insertBatch = compiled<MessageBatch>(sql`with ${batchTables} select base, head from log`);

/**
 * Writes a batch of messages and assigns their ids: one statement, one row per message. Gives a `LogRange`,
 * or nothing and writes nothing when the state has changed since `expectedStateHead`. Then the caller must
 * repeat its checks. LOCK: the organization's row in organization_logs, for the statement and its commit.
 */
export function insertMessages(
  organizationId: OrganizationId,
  messages: readonly NewMessage[],
  { expectedStateHead, sentAt }: { expectedStateHead: Position; sentAt: Date },
): Sql {
  return insertBatch(messageBatch(organizationId, messages, { expectedStateHead, sentAt }));
}

export function messageBatch(
  organizationId: OrganizationId,
  messages: readonly NewMessage[],
  { expectedStateHead, sentAt }: { expectedStateHead: Position; sentAt: Date },
): MessageBatch {
  return { organizationId, messages, personal: personalFlagsOf(messages), expectedStateHead, sentAt };
}

export function personalFlagsOf(messages: readonly NewMessage[]): PersonalFlags[] {
  return messages.flatMap((message, index) =>
    message.personal.map(([userId, flags]) => ({ ordinal: index + 1, userId, flags })),
  );
}

/** Rows for `insertRows`. */
interface Rows {
  organizationId: OrganizationId;
  base: Position;
  messages: readonly NewMessage[];
  sentAt: Date;
}

const insertRows = compiled<Rows>(sql`
  insert into messages (organization_id, id, sent_at, ${sentNames})
  select ${({ organizationId }: Rows) => organizationId}, ${({ base }: Rows) => base}::bigint + m.ordinality,
    ${({ sentAt }: Rows) => sentAt}, ${sentValues}
  from ${sentTable<Rows>(({ messages }) => messages)}`);

/**
 * Writes messages as entries of a transaction that has reserved its positions. The first message gets the
 * position after `base`.
 */
export async function insertMessagesAfter(
  tx: Queryable,
  organizationId: OrganizationId,
  base: Position,
  messages: readonly NewMessage[],
  sentAt: Date,
): Promise<void> {
  await tx.query(insertRows({ organizationId, base, messages, sentAt }));
  const personal = personalFlagsOf(messages);
  if (personal.length === 0) return;
  await tx.query(sql`
    insert into message_flags (organization_id, user_id, message_id, flags)
    select ${organizationId}, p.user_id, ${base}::bigint + p.ordinal, p.flags
    from unnest(${personal.map(({ ordinal }) => ordinal)}::int[], ${personal.map(({ userId }) => userId)}::bigint[],
      ${personal.map(({ flags }) => flags)}::int[]) as p (ordinal, user_id, flags)`);
}

/** When the organization's newest message was sent. */
export async function findNewestSentAt(
  tx: Queryable,
  organizationId: OrganizationId,
): Promise<Date | undefined> {
  const [row] = await tx.query<{ sentAt: Date }>(sql`
    select sent_at as "sentAt" from messages where organization_id = ${organizationId} order by id desc limit 1`);
  return row?.sentAt;
}

export interface LoggedRow extends MessageRow {
  /** Bits of `personalFlags` by person. */
  personal: [UserId, number][] | null;
  /** The people of a direct message. */
  userIds: UserId[] | null;
  /** For messages that moved: the channel and the topic they were sent to, where these are others now. */
  firstChannelId: ChannelId | null;
  firstTopic: string | null;
}

/**
 * Messages as entries of the log, with their personal flags. Where a message was first is in its oldest
 * edits; those are looked up only for messages that moved.
 */
export async function readMessageLog(
  tx: Queryable,
  organizationId: OrganizationId,
  after: Position,
  upTo: Position,
  limit: number,
): Promise<LoggedRow[]> {
  const oldest = (field: Sql) => sql`
    case when m.moved_at is not null and m.topic_id is not null then (
      select e.${field} from message_edits e
      where e.organization_id = m.organization_id and e.message_id = m.id and e.${field} is not null
      order by e.id limit 1) end`;
  const statement = sql`
    select ${messageColumns}, c.user_ids as "userIds",
      ${oldest(sql`previous_channel_id`)} as "firstChannelId", ${oldest(sql`previous_topic`)} as "firstTopic",
      (select json_agg(json_build_array(f.user_id, f.flags)) from message_flags f
       where f.organization_id = m.organization_id and f.message_id = m.id) as personal
    from messages m ${topicJoin}
    left join conversations c on m.topic_id is null and c.organization_id = m.organization_id and c.id = m.recipient_id
    where m.organization_id = ${organizationId} and m.id > ${after} and m.id <= ${upTo}
    order by m.id limit ${limit}`;
  return tx.query(prepare(statement));
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

/** LOCK: the message's row, shared with others who add to it, to the end of the transaction. */
export async function shareMessage(tx: Queryable, organizationId: OrganizationId, id: number): Promise<void> {
  await tx.query(
    sql`select from messages where organization_id = ${organizationId} and id = ${id} for share`,
  );
}

/** The object of the lock of what is added to a message. */
export function additionsOf(organizationId: OrganizationId, id: number): number {
  return organizationId * 7919 + id;
}

/** LOCK: the turn to add something to the message, then the row as `shareMessage` does, in one statement. */
export async function lockMessageForAdding(
  tx: Queryable,
  organizationId: OrganizationId,
  id: number,
): Promise<void> {
  await tx.query(sql`
    with turn as materialized (${lockQuery(lockClasses.additions, additionsOf(organizationId, id))})
    select from turn, messages where organization_id = ${organizationId} and id = ${id} for share of messages`);
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

/** Whether a topic, channel or conversation has more messages than a given number. */
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

/** The conversations that all of these people are in, alone or with others. */
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

/** The organization's last message with an id below `before`. */
export async function findLastBefore(
  db: Queryable,
  organizationId: OrganizationId,
  before: number,
): Promise<MessageId | undefined> {
  const [row] = await db.query<{ id: MessageId }>(sql`
    select id from messages
    where organization_id = ${organizationId} and id < ${before} order by id desc limit 1`);
  return row?.id;
}

/** The people with whom these users share a direct message, their own or somebody else's. */
export async function listDirectPartners(
  db: Queryable,
  organizationId: OrganizationId,
  guestIds: readonly UserId[],
): Promise<{ guestId: UserId; userId: UserId }[]> {
  return db.query(sql`
    select distinct own.user_id as "guestId", other.user_id as "userId"
    from conversation_members own join conversation_members other using (organization_id, conversation_id)
    where organization_id = ${organizationId} and own.user_id = any(${guestIds}::bigint[])
      and other.user_id <> own.user_id
      and exists (
        select from messages m
        where m.organization_id = ${organizationId} and m.recipient_id = own.conversation_id
      )`);
}
