import type {
  ChannelId,
  GroupId,
  MessageId,
  OrganizationId,
  RecipientId,
  TopicId,
  UserId,
} from "../../../../api/ids.ts";
import type { Queryable } from "../../../platform/db/database.ts";
import { sql } from "../../../platform/db/sql.ts";
import type { PersonalBits } from "../mentions/personal-flags.ts";
import { personalFlags } from "../model/message.ts";

/** One change of a message. Fields that did not change are null. A topic that changed has both names. */
export interface EditRow {
  messageId: MessageId;
  editorId: UserId;
  editedAt: Date;
  previousContent: string | null;
  previousRenderedContent: string | null;
  previousTopic: string | null;
  topic: string | null;
  previousChannelId: ChannelId | null;
  channelId: ChannelId | null;
}

/** Inserts one row per message. Only the first row has the text. */
export async function insertEdits(
  tx: Queryable,
  organizationId: OrganizationId,
  ids: readonly MessageId[],
  edit: Omit<EditRow, "messageId">,
): Promise<void> {
  await tx.query(sql`
    insert into message_edits (organization_id, message_id, editor_id, edited_at, previous_content,
      previous_rendered_content, previous_topic, topic, previous_channel_id, channel_id)
    select ${organizationId}, id, ${edit.editorId}, ${edit.editedAt}, ${edit.previousContent},
      ${edit.previousRenderedContent}, ${edit.previousTopic}, ${edit.topic}, ${edit.previousChannelId}, ${edit.channelId}
    from unnest(${ids}::bigint[]) as id`);
}

/**
 * The changes of these messages, oldest first. Each message gets its newest changes, at most `perMessage`.
 * Changes are added, the newest of each message first, until their texts pass `bytes`; the change that passes
 * the limit is still included. Without texts, changes that only edited the text are left out.
 */
export async function listEdits(
  tx: Queryable,
  organizationId: OrganizationId,
  ids: readonly MessageId[],
  { withTexts, perMessage, bytes }: { withTexts: boolean; perMessage: number; bytes: number },
): Promise<EditRow[]> {
  return tx.query(sql`
    select message_id as "messageId", editor_id as "editorId", edited_at as "editedAt",
      previous_content as "previousContent", previous_rendered_content as "previousRenderedContent",
      previous_topic as "previousTopic", topic, previous_channel_id as "previousChannelId", channel_id as "channelId"
    from (
      select edit.*, sum(coalesce(octet_length(edit.previous_content) + octet_length(edit.previous_rendered_content), 0))
        over (order by edit.age, edit.message_id desc rows between unbounded preceding and 1 preceding) as newer_bytes
      from unnest(${ids}::bigint[]) as message (id) cross join lateral (
        select *, row_number() over (order by e.id desc) as age from message_edits e
        where e.organization_id = ${organizationId} and e.message_id = message.id
          and (${withTexts} or e.previous_content is null or e.previous_channel_id is not null)
        order by e.id desc limit ${perMessage}
      ) edit
    ) edit
    where coalesce(newer_bytes, 0) < ${bytes}
    order by message_id, id`);
}

export async function updateContent(
  tx: Queryable,
  organizationId: OrganizationId,
  id: MessageId,
  message: {
    content: string;
    renderedContent: string;
    facts: number;
    mentionedGroupIds: GroupId[] | null;
    editedAt: Date;
  },
): Promise<void> {
  await tx.query(sql`
    update messages set content = ${message.content}, rendered_content = ${message.renderedContent},
      facts = ${message.facts}, mentioned_group_ids = ${message.mentionedGroupIds}, edited_at = ${message.editedAt}
    where organization_id = ${organizationId} and id = ${id}`);
}

/** The bits that depend on a message's text. */
const TEXT_BITS = personalFlags.mentioned | personalFlags.topicMentioned | personalFlags.alertWord;

/**
 * Replaces the bits that a message's text gives to people; their other bits stay. People who lose all bits
 * keep an empty row, so that they still get the event. See `deleteEmptyFlags`.
 */
export async function replaceTextBits(
  tx: Queryable,
  organizationId: OrganizationId,
  id: MessageId,
  personal: PersonalBits,
): Promise<void> {
  const own = personal
    .map(([userId, bits]) => ({ userId, bits: bits & TEXT_BITS }))
    .filter(({ bits }) => bits !== 0);
  await tx.query(sql`
    update message_flags set flags = flags & ~${TEXT_BITS}::int
    where organization_id = ${organizationId} and message_id = ${id} and flags & ${TEXT_BITS}::int <> 0`);
  await tx.query(sql`
    insert into message_flags (organization_id, user_id, message_id, flags)
    select ${organizationId}, own.user_id, ${id}, own.flags
    from unnest(${own.map(({ userId }) => userId)}::bigint[], ${own.map(({ bits }) => bits)}::int[])
      as own (user_id, flags)
    on conflict (organization_id, user_id, message_id) do update set flags = message_flags.flags | excluded.flags`);
}

export async function deleteEmptyFlags(
  tx: Queryable,
  organizationId: OrganizationId,
  id: MessageId,
): Promise<void> {
  await tx.query(sql`
    delete from message_flags where organization_id = ${organizationId} and message_id = ${id} and flags = 0`);
}

export interface TopicMessage {
  id: MessageId;
  sentAt: Date;
}

/** A topic's messages from this id on, ascending. */
export async function listTopicFrom(
  tx: Queryable,
  organizationId: OrganizationId,
  topicId: TopicId,
  fromId: number,
): Promise<TopicMessage[]> {
  return tx.query(sql`
    select id, sent_at as "sentAt" from messages
    where organization_id = ${organizationId} and topic_id = ${topicId} and id >= ${fromId} order by id`);
}

/** `movedAt`: undefined keeps the time of the last move. */
export async function moveMessages(
  tx: Queryable,
  organizationId: OrganizationId,
  ids: readonly MessageId[],
  to: { channelId: ChannelId; topicId: TopicId; movedAt: Date | undefined },
): Promise<void> {
  await tx.query(sql`
    update messages set recipient_id = ${to.channelId}, topic_id = ${to.topicId},
      moved_at = coalesce(${to.movedAt ?? null}, moved_at)
    where organization_id = ${organizationId} and id = any(${ids}::bigint[])`);
}

export interface QueueReader {
  userId: UserId;
  /** Bits of `personalFlags`. */
  personal: number;
  isInRanges: boolean;
  isMarkedUnread: boolean;
  /** Where the current subscription began; null: not subscribed. */
  since: number | null;
  isReceived: boolean;
}

/** The flags and read states of a message for people who have event queues. */
export async function listQueueReaders(
  tx: Queryable,
  organizationId: OrganizationId,
  message: { id: MessageId; recipientId: RecipientId },
): Promise<QueueReader[]> {
  return tx.query(sql`
    select q.user_id as "userId", coalesce(f.flags, 0) as personal,
      coalesce(r.ranges @> ${message.id}::bigint, false) as "isInRanges",
      coalesce(r.marked_unread @> ${message.id}::bigint, false) as "isMarkedUnread",
      interval.since, coalesce(interval.is_received, false) as "isReceived"
    from (select distinct user_id from event_queues where organization_id = ${organizationId}) q
    left join message_flags f on f.organization_id = ${organizationId} and f.user_id = q.user_id
      and f.message_id = ${message.id}
    left join read_states r on r.organization_id = ${organizationId} and r.user_id = q.user_id
      and r.recipient_id = ${message.recipientId}
    left join lateral (
      select max(began.position) filter (where s.to_position_ref is null) as since,
        bool_or(began.position < ${message.id} and (ended.position is null or ended.position > ${message.id}))
          as is_received
      from subscriptions s
      join log_positions began on began.organization_id = s.organization_id and began.id = s.from_position_ref
      left join log_positions ended on ended.organization_id = s.organization_id and ended.id = s.to_position_ref
      where s.organization_id = ${organizationId} and s.user_id = q.user_id and s.channel_id = ${message.recipientId}
    ) as interval on true`);
}
