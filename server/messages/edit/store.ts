import type {
  ChannelId,
  GroupId,
  MessageId,
  OrganizationId,
  Position,
  RecipientId,
  TopicId,
  UserId,
} from "../../../api/ids.ts";
import { beganAt, includes } from "../../channels/subscriptions/interval-bounds.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { prepare, type Sql, sql } from "../../platform/db/sql.ts";
import type { PersonalBits } from "../mentions/personal-flags.ts";
import { messageFacts, personalFlags } from "../model/message.ts";
import { isInRanges, isMarkedUnread, readState, topicReadState } from "../read-state/topic-read-states.ts";

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

/** An edit to insert. `previousTopicId`: where it was, if it moved to another channel. */
type NewEdit = Omit<EditRow, "messageId"> & { previousTopicId: TopicId | null };

/** Inserts one row per message. Only the first row has the text. */
export async function insertEdits(
  tx: Queryable,
  organizationId: OrganizationId,
  ids: readonly MessageId[],
  edit: NewEdit,
): Promise<void> {
  await tx.query(sql`
    insert into message_edits (organization_id, message_id, editor_id, edited_at, previous_content,
      previous_rendered_content, previous_topic, topic, previous_channel_id, previous_topic_id, channel_id)
    select ${organizationId}, id, ${edit.editorId}, ${edit.editedAt}, ${edit.previousContent},
      ${edit.previousRenderedContent}, ${edit.previousTopic}, ${edit.topic}, ${edit.previousChannelId},
      ${edit.previousTopicId}, ${edit.channelId}
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
    mentionedGroupPositions: number[] | null;
    editedAt: Date;
  },
): Promise<void> {
  await tx.query(sql`
    update messages set content = ${message.content}, rendered_content = ${message.renderedContent},
      facts = ${message.facts}, mentioned_group_ids = ${message.mentionedGroupIds},
      mentioned_group_positions = ${message.mentionedGroupPositions}, edited_at = ${message.editedAt}
    where organization_id = ${organizationId} and id = ${id}`);
}

/** Changes what a message looks like. Its text stays, and so does the time of its last edit. */
export async function updateRendering(
  tx: Queryable,
  organizationId: OrganizationId,
  id: MessageId,
  renderedContent: string,
): Promise<void> {
  await tx.query(sql`
    update messages set rendered_content = ${renderedContent}
    where organization_id = ${organizationId} and id = ${id}`);
}

/** The bits that depend on a message's text. */
export const TEXT_BITS = personalFlags.mentioned | personalFlags.topicMentioned | personalFlags.alertWord;

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

/** The people with event queues. */
export async function listQueueOwners(tx: Queryable, organizationId: OrganizationId): Promise<UserId[]> {
  const [row] = await tx.query<{ ids: UserId[] }>(sql`
    select array(select distinct user_id from event_queues where organization_id = ${organizationId}) as ids`);
  return (row as { ids: UserId[] }).ids;
}

/** The people with event queues that asked for all public channels. An index has only those. */
export async function listAllPublicListeners(
  tx: Queryable,
  organizationId: OrganizationId,
): Promise<UserId[]> {
  const rows = await tx.query<{ id: UserId }>(sql`
    select distinct user_id as id from event_queues
    where organization_id = ${organizationId} and options @> '{"allPublicStreams": true}'`);
  return rows.map(({ id }) => id);
}

/** Where a message is now. */
interface PlacedMessage {
  id: MessageId;
  recipientId: RecipientId;
  /** null: a direct message. */
  topicId: TopicId | null;
}

/** People whose read state holds a message, as read or as marked unread. */
export interface ReadStates {
  inRanges: UserId[];
  markedUnread: UserId[];
}

/**
 * The read states of everybody who has one where the message is. One scan costs a fifth of as many look-ups.
 */
export async function listReadStates(
  tx: Queryable,
  organizationId: OrganizationId,
  { id, recipientId, topicId }: PlacedMessage,
): Promise<ReadStates> {
  const statement = readStatesAt(organizationId, {
    id: sql`${id}::bigint`,
    recipientId: sql`${recipientId}`,
    topicId: sql`${topicId}`,
  });
  const [row] = await tx.query<ReadStates>(prepare(statement));
  return row as ReadStates;
}

/** The same as a part of a statement. */
export function readStatesAt(
  organizationId: OrganizationId,
  { id, recipientId, topicId }: { id: Sql; recipientId: Sql; topicId: Sql },
): Sql {
  return sql`
    select coalesce(array_agg(user_id) filter (where ${isInRanges(id)}), '{}') as "inRanges",
      coalesce(array_agg(user_id) filter (where ${isMarkedUnread(id)}), '{}') as "markedUnread"
    from (
      select user_id, ranges, marked_unread from read_states
      where organization_id = ${organizationId} and recipient_id = ${recipientId}
    ) r full join (
      select user_id, ranges, gaps, marked_unread from topic_read_states
      where organization_id = ${organizationId} and topic_id = ${topicId}
    ) t using (user_id)`;
}

/** The read states of these people. One look-up by primary key for each, whatever the statistics say. */
export async function listReadStatesAmong(
  tx: Queryable,
  organizationId: OrganizationId,
  { id, recipientId, topicId }: PlacedMessage,
  userIds: readonly UserId[],
): Promise<ReadStates> {
  const messageId = sql`${id}::bigint`;
  const ofTopic = { channelId: sql`${recipientId}::bigint`, topicId: sql`${topicId}::bigint` };
  const statement = sql`
    select coalesce(array_agg(person.user_id) filter (where ${isInRanges(messageId)}), '{}') as "inRanges",
      coalesce(array_agg(person.user_id) filter (where ${isMarkedUnread(messageId)}), '{}') as "markedUnread"
    from unnest(${userIds}::bigint[]) as person (user_id)
    left join lateral ${readState(organizationId, sql`person.user_id`, sql`${recipientId}::bigint`)} r on true
    left join lateral ${topicReadState(organizationId, sql`person.user_id`, ofTopic)} t on true`;
  const [row] = await tx.query<ReadStates>(prepare(statement));
  return row as ReadStates;
}

/** The newest of these messages that mention a whole channel or a group. */
export async function listMentioningMany(
  tx: Queryable,
  organizationId: OrganizationId,
  ids: readonly MessageId[],
  limit: number,
): Promise<MessageId[]> {
  const rows = await tx.query<{ id: MessageId }>(sql`
    select id from messages
    where organization_id = ${organizationId} and id = any(${ids}::bigint[])
      and (facts & ${messageFacts.mentionsChannel} <> 0 or mentioned_group_ids is not null)
    order by id desc limit ${limit}`);
  return rows.map(({ id }) => id);
}

/** The people who have flags on a message, such as a star: bits of `personalFlags`. */
export async function listFlagsOn(
  tx: Queryable,
  organizationId: OrganizationId,
  id: MessageId,
): Promise<{ userId: UserId; personal: number }[]> {
  return tx.query(sql`
    select user_id as "userId", flags as personal from message_flags
    where organization_id = ${organizationId} and message_id = ${id}`);
}

/**
 * Where the newest of a channel's present subscriptions began, and whose began after a message. People who
 * were subscribed together share a position, so there are fewer positions to look up than subscriptions.
 */
export async function listLateSubscribers(
  tx: Queryable,
  organizationId: OrganizationId,
  channelId: ChannelId,
  id: MessageId,
): Promise<{ newest: Position; userIds: UserId[] }> {
  const [row] = await tx.query<{ newest: Position; userIds: UserId[] }>(sql`
    with start as materialized (
      select s.user_ids, ${beganAt} as began_at from (
        select organization_id, from_position_ref, array_agg(user_id) as user_ids from subscriptions
        where organization_id = ${organizationId} and channel_id = ${channelId} and to_position_ref is null
        group by organization_id, from_position_ref
      ) s
    )
    select (select coalesce(max(began_at), 0) from start) as newest,
      array(select unnest(user_ids) from start where began_at > ${id}) as "userIds"`);
  return row as { newest: Position; userIds: UserId[] };
}

/** Those of these people who were subscribed to a channel when a message was sent. */
export async function listReceiversIn(
  tx: Queryable,
  organizationId: OrganizationId,
  message: { id: MessageId; recipientId: RecipientId },
  among: readonly UserId[],
): Promise<UserId[]> {
  const rows = await tx.query<{ id: UserId }>(sql`
    select distinct s.user_id as id from subscriptions s
    where s.organization_id = ${organizationId} and s.user_id = any(${among}::bigint[])
      and s.channel_id = ${message.recipientId} and ${includes(sql`${message.id}::bigint`)}`);
  return rows.map(({ id }) => id);
}
