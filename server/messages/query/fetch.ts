/**
 * Statements that read messages together with data of other modules: subscriptions, read states, personal
 * flags. This is one of the few files that may join across modules, for speed: a page of history is one
 * statement.
 */
import type {
  ChannelId,
  ConversationId,
  MessageId,
  OrganizationId,
  RecipientId,
  UserId,
} from "../../../api/ids.ts";
import { beganAt, endedAt, includes } from "../../channels/subscriptions/interval-bounds.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { PersonalRows } from "../../platform/db/personal-rows.ts";
import { literal, prepare, type Sql, sql } from "../../platform/db/sql.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import {
  longColumnsWhere,
  messageColumns,
  selectColumns,
  shortColumns,
  topicJoin,
} from "../model/columns.ts";
import { type FetchedRow, type PersonalRow, personalFields, personalFlags } from "../model/message.ts";
import { isInRanges, isMarkedUnread, readState, topicReadState } from "../read-state/topic-read-states.ts";
import type { SubscriptionInterval } from "./readable/subscription-intervals.ts";

/** When a person was subscribed to channels. */
export const ownIntervals = new PersonalRows<SubscriptionInterval>((organizationId, userId) =>
  intervalsOf(organizationId, userId, sql``),
);

/** The same for some channels. */
export async function listIntervals(
  tx: Queryable,
  organizationId: OrganizationId,
  userId: UserId,
  channelIds: readonly ChannelId[],
): Promise<SubscriptionInterval[]> {
  const among = sql`and s.channel_id = any(${channelIds}::bigint[])`;
  return tx.query(prepare(intervalsOf(organizationId, userId, among)));
}

function intervalsOf(organizationId: unknown, userId: unknown, among: Sql): Sql {
  return sql`
    select * from (
      select s.channel_id as "channelId", ${beganAt} as "from", ${endedAt} as "to" from subscriptions s
      where s.organization_id = ${organizationId} and s.user_id = ${userId} ${among}
      offset 0
    ) interval
    where interval."from" is not null
    order by interval."from"`;
}

/**
 * Who received which of these messages of a channel: the people subscribed when it was sent, subscribed now
 * or not.
 */
export async function listReceivers(
  tx: Queryable,
  organizationId: OrganizationId,
  channelId: ChannelId,
  ids: readonly MessageId[],
): Promise<{ userId: UserId; messageIds: MessageId[] }[]> {
  return tx.query(sql`
    select s.user_id as "userId", array_agg(distinct message.id order by message.id) as "messageIds"
    from (
      select s.user_id, ${beganAt} as began_at, ${endedAt} as ended_at from subscriptions s
      where s.organization_id = ${organizationId} and s.channel_id = ${channelId}
      offset 0
    ) s
    join unnest(${ids}::bigint[]) as message (id)
      on message.id > s.began_at and (s.ended_at is null or message.id < s.ended_at)
    group by s.user_id`);
}

/** Those of these people who received a message where it is now, or where it was before it was moved. */
export async function listReceiversAmong(
  tx: Queryable,
  organizationId: OrganizationId,
  message: { id: MessageId; recipientId: RecipientId },
  among: readonly UserId[],
): Promise<{ userId: UserId; isHere: boolean }[]> {
  return tx.query(sql`
    select s.user_id as "userId", bool_or(s.channel_id = ${message.recipientId}) as "isHere"
    from subscriptions s
    where s.organization_id = ${organizationId} and s.user_id = any(${among}::bigint[])
      and s.channel_id = any(array(
        select ${message.recipientId}::bigint
        union select previous_channel_id from message_edits
        where organization_id = ${organizationId} and message_id = ${message.id} and previous_channel_id is not null
      ))
      and ${includes(sql`${message.id}::bigint`)}
    group by s.user_id`);
}

/** The users with a flag on any of these messages, such as a star. */
export async function listUsersWithFlags(
  tx: Queryable,
  organizationId: OrganizationId,
  ids: readonly MessageId[],
): Promise<UserId[]> {
  const rows = await tx.query<{ id: UserId }>(sql`
    select distinct user_id as id from message_flags
    where organization_id = ${organizationId} and message_id = any(${ids}::bigint[])`);
  return rows.map(({ id }) => id);
}

/** The same, with the messages that they have starred. */
export async function listStarHolders(
  tx: Queryable,
  organizationId: OrganizationId,
  ids: readonly MessageId[],
): Promise<{ userId: UserId; starred: MessageId[] }[]> {
  return tx.query(sql`
    select user_id as "userId",
      coalesce(array_agg(message_id order by message_id) filter (where flags & ${personalFlags.starred}::int <> 0), '{}')
        as starred
    from message_flags
    where organization_id = ${organizationId} and message_id = any(${ids}::bigint[])
    group by user_id`);
}

export interface ReactionRow {
  messageId: MessageId;
  userId: UserId;
  reactionType: string;
  emojiCode: string;
  emojiName: string;
}

/** The reactions to these messages, oldest first. */
export async function listReactions(
  tx: Queryable,
  organizationId: OrganizationId,
  ids: readonly MessageId[],
): Promise<ReactionRow[]> {
  return tx.query(sql`
    select message_id as "messageId", user_id as "userId", reaction_type as "reactionType",
      emoji_code as "emojiCode", emoji_name as "emojiName"
    from reactions where organization_id = ${organizationId} and message_id = any(${ids}::bigint[])
    order by message_id, id`);
}

/** A user's direct-message conversations. */
export const ownConversations = new PersonalRows<{ id: ConversationId }>(
  (organizationId, userId) => sql`
    select conversation_id as id from conversation_members
    where organization_id = ${organizationId} and user_id = ${userId}`,
);

/** The user's among these conversations. */
export async function listConversations(
  tx: Queryable,
  organizationId: OrganizationId,
  userId: UserId,
  among: readonly ConversationId[],
): Promise<{ id: ConversationId }[]> {
  return tx.query(sql`
    select conversation_id as id from conversation_members
    where organization_id = ${organizationId} and user_id = ${userId}
      and conversation_id = any(${among}::bigint[])`);
}

/** How many conversations count as recent (spec Recent direct-message conversation). */
const MAX_RECENT = 1000;

/** A user's conversations with their newest message, newest first. */
export const recentConversations = new PersonalRows<{ newestId: MessageId; userIds: UserId[] }>(
  (organizationId, userId) => sql`
    select newest.id as "newestId", c.user_ids as "userIds"
    from conversation_members member
    join conversations c on c.organization_id = member.organization_id and c.id = member.conversation_id
    cross join lateral (
      select m.id from messages m
      where m.organization_id = member.organization_id and m.recipient_id = member.conversation_id
      order by m.id desc limit 1
    ) newest
    where member.organization_id = ${organizationId} and member.user_id = ${userId}
    order by newest.id desc limit ${literal(MAX_RECENT)}`,
);

const personalColumns = sql`c.user_ids as "userIds", coalesce(f.flags, 0) as personal,
  ${isInRanges(sql`m.id`, sql`rt`)} as "isInRanges", ${isMarkedUnread(sql`m.id`, sql`rt`)} as "isMarkedUnread"`;

/**
 * Joins over messages `m`, which the statement's head lists. A read state may be long, and PostgreSQL would
 * unpack it for each row that tests it. So it is cut to the listed messages first. Without a user, nothing is
 * joined. Each row is looked up by its key, whatever the statistics say: as joins, the look-ups might read
 * all flags of a user.
 */
function personalJoins(organizationId: OrganizationId, userId: UserId | undefined): Sql {
  return sql`
    left join lateral (
      select user_ids from conversations
      where organization_id = m.organization_id and id = m.recipient_id offset 0
    ) c on m.topic_id is null
    left join lateral (
      select flags from message_flags
      where organization_id = m.organization_id and user_id = ${userId ?? null} and message_id = m.id offset 0
    ) f on true
    left join (
      select listed.recipient_id, state.ranges * listed.ids as ranges, state.marked_unread * listed.ids as marked_unread
      from (
        select recipient_id, int8multirange(int8range(min(id), max(id), '[]')) as ids from m group by recipient_id
      ) listed
      cross join lateral ${readState(organizationId, sql`${userId ?? null}::bigint`, sql`listed.recipient_id`)} state
      offset 0
    ) r on r.recipient_id = m.recipient_id
    left join (
      select listed.topic_id, state.ranges * listed.ids as ranges, state.gaps * listed.ids as gaps,
        state.marked_unread * listed.ids as marked_unread
      from (
        select recipient_id, topic_id, int8multirange(int8range(min(id), max(id), '[]')) as ids from m
        where topic_id is not null group by recipient_id, topic_id
      ) listed
      cross join lateral ${topicReadState(organizationId, sql`${userId ?? null}::bigint`, {
        channelId: sql`listed.recipient_id`,
        topicId: sql`listed.topic_id`,
      })} state
      offset 0
    ) rt on rt.topic_id = m.topic_id`;
}

/** The message with this id, readable by the user or not. Empty if there is none. */
export async function listFetched(
  tx: Queryable,
  organizationId: OrganizationId,
  userId: UserId | undefined,
  id: number,
): Promise<FetchedRow[]> {
  const statement = sql`
    with m as materialized (
      select * from messages where organization_id = ${organizationId} and id = ${id}
    )
    select ${messageColumns}, ${personalColumns}
    from m ${topicJoin} ${personalJoins(organizationId, userId)}`;
  return tx.query(prepare(statement));
}

export interface Bound {
  anchor: number;
  /** The limit for the total size of the texts. */
  bytes: number;
}

/**
 * Messages in the order of their ids, readable by the user or not. `ids` is a statement that selects each
 * `id` once; if it is prepared, so is the whole statement. Messages beyond the bound are left out, the
 * farthest from the anchor first; the nearest always comes. `found` has the ids of all.
 *
 * `octet_length` gives the length of a text that is stored outside its row without fetching the text. Rows
 * are left out only after the joins, so the joins are planned as without a bound.
 */
export async function listFetchedAround(
  tx: Queryable,
  organizationId: OrganizationId,
  userId: UserId | undefined,
  ids: Sql,
  { anchor, bytes }: Bound,
): Promise<{ rows: FetchedRow[]; found: MessageId[] }> {
  const distance = sql`abs(m.id - ${anchor}::bigint)`;
  const isNear = sql`${distance} < (select distance from cut)`;
  const statement = sql`
    with m as materialized (
      select * from messages where organization_id = ${organizationId} and id = any(array(${ids}))
    ), cut as materialized (
      select coalesce(min(distance), 9223372036854775807) as distance from (
        select ${distance} as distance, sum(octet_length(m.content) + octet_length(m.rendered_content))
          over (order by ${distance} range between unbounded preceding and 1 preceding) as nearer
        from m
      ) sized where nearer >= ${bytes}::bigint
    )
    select ${shortColumns}, ${personalColumns}, ${longColumnsWhere(isNear)}
    from m ${topicJoin} ${personalJoins(organizationId, userId)}
    order by m.id`;
  type Row = Omit<FetchedRow, "content"> & { content: string | null };
  const rows = await tx.query<Row>(ids.name === undefined ? statement : prepare(statement));
  return {
    rows: rows.filter((row): row is FetchedRow => row.content !== null),
    found: rows.map(({ id }) => id),
  };
}

/** These messages, with their texts while they are smaller together than `bytes`; the first always comes. */
export async function listFetchedAmong(
  tx: Queryable,
  organizationId: OrganizationId,
  userId: UserId,
  ids: readonly MessageId[],
  bytes: number,
): Promise<FetchedRow[]> {
  const listed = sql`select unnest(${ids}::bigint[]) as id`;
  const bound = { anchor: Math.min(...ids), bytes };
  return (await listFetchedAround(tx, organizationId, userId, listed, bound)).rows;
}

/** Like `listFetched`, for many messages and without texts: for changes of flags. */
export async function listPersonal(
  tx: Queryable,
  organizationId: OrganizationId,
  userId: UserId | undefined,
  ids: readonly number[],
): Promise<PersonalRow[]> {
  const statement = sql`
    with m as materialized (
      select organization_id, id, recipient_id, topic_id, sender_id, sent_at, edited_at, facts,
        mentioned_group_ids, mentioned_group_positions
      from messages
      where organization_id = ${organizationId} and id = any(${ids}::bigint[])
    )
    select ${selectColumns(personalFields)}, ${personalColumns}
    from m ${topicJoin} ${personalJoins(organizationId, userId)}
    order by m.id`;
  return tx.query(prepare(statement));
}

/**
 * The organization's newest message; undefined before the first one. Only for callers that measure the length
 * of the log.
 */
export async function newestMessageId(state: OrganizationState): Promise<MessageId | undefined> {
  const [row] = await state.database.query<{ id: MessageId }>(sql`
    select id from messages where organization_id = ${state.organizationId} order by id desc limit 1`);
  return row?.id;
}

/** What `askedJoins` adds to each row, as `FoundMessage` has it. */
export const askedColumns: Sql = sql`m.id, m.recipient_id as "recipientId", c.user_ids as "userIds",
  coalesce(received.is_so, false) as "wasReceived"`;

/**
 * Joins over messages that people ask for, `asked (user_id, id)`: what decides whether they may read them.
 * Each row is looked up by its key, as in `personalJoins`. `columns`: what is read of the messages.
 */
export function askedJoins(
  organizationId: OrganizationId,
  columns: Sql = sql`id, recipient_id, topic_id`,
): Sql {
  return sql`
    cross join lateral (
      select ${columns} from messages
      where organization_id = ${organizationId} and id = asked.id offset 0
    ) m
    left join lateral (
      select user_ids from conversations
      where organization_id = ${organizationId} and id = m.recipient_id offset 0
    ) c on m.topic_id is null
    left join lateral (
      select true as is_so from subscriptions s
      where s.organization_id = ${organizationId} and s.user_id = asked.user_id
        and s.channel_id = m.recipient_id and ${includes(sql`m.id`)}
      limit 1
    ) received on m.topic_id is not null`;
}
