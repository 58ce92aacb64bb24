/**
 * What an export reads of other modules' tables, where their memory does not have it. It is one of the few
 * files that may: a page of messages is a few short statements.
 */
import type {
  ChannelId,
  MessageId,
  OrganizationId,
  Position,
  RecipientId,
  UserId,
} from "../../../api/ids.ts";
import { beganAt, endedAt } from "../../channels/subscriptions/interval-bounds.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { type Sql, sql } from "../../platform/db/sql.ts";

export interface FolderRow {
  id: number;
  name: string;
  description: string;
  creatorId: UserId | null;
  order: number;
  createdAt: Date;
  isArchived: boolean;
}

export async function listFolderRows(tx: Queryable, organizationId: OrganizationId): Promise<FolderRow[]> {
  return tx.query(sql`
    select id, name, description, creator_id as "creatorId", sort_order as "order", created_at as "createdAt",
      archived_at is not null as "isArchived"
    from channel_folders where organization_id = ${organizationId} order by sort_order, id`);
}

/** The head of the log. Messages up to it are in the export. */
export async function findHead(tx: Queryable, organizationId: OrganizationId): Promise<Position> {
  const [row] = await tx.query<{ head: Position }>(sql`
    select head from organization_logs where organization_id = ${organizationId}`);
  return row?.head ?? (0 as Position);
}

/** The people subscribed to a channel now, with the position in the log at which that began. */
export async function listCurrentSubscriptions(
  tx: Queryable,
  organizationId: OrganizationId,
  channelId: ChannelId,
): Promise<{ userId: UserId; since: number | null }[]> {
  return tx.query(sql`
    select s.user_id as "userId", ${beganAt} as since from subscriptions s
    where s.organization_id = ${organizationId} and s.channel_id = ${channelId} and s.to_position_ref is null
    order by s.user_id`);
}

/** The subscriptions of these people to these channels that have ended. */
export async function listEndedSubscriptions(
  tx: Queryable,
  organizationId: OrganizationId,
  channelIds: readonly ChannelId[],
  userIds: readonly UserId[],
): Promise<{ channelId: ChannelId; userId: UserId; since: number; until: number }[]> {
  return tx.query(sql`
    select s.channel_id as "channelId", s.user_id as "userId", ${beganAt} as since, ${endedAt} as until
    from subscriptions s
    where s.organization_id = ${organizationId} and s.channel_id = any(${channelIds}::bigint[])
      and s.user_id = any(${userIds}::bigint[]) and s.to_position_ref is not null
    order by s.user_id, s.channel_id, s.from_position_ref`);
}

/** When these people were subscribed to these channels. */
export async function listIntervalsOf(
  tx: Queryable,
  organizationId: OrganizationId,
  channelIds: readonly ChannelId[],
  userIds: readonly UserId[],
): Promise<{ channelId: ChannelId; userId: UserId; from: number; to: number | null }[]> {
  return tx.query(sql`
    select * from (
      select s.channel_id as "channelId", s.user_id as "userId", ${beganAt} as "from", ${endedAt} as "to"
      from subscriptions s
      where s.organization_id = ${organizationId} and s.channel_id = any(${channelIds}::bigint[])
        and s.user_id = any(${userIds}::bigint[])
      offset 0
    ) interval
    where interval."from" is not null`);
}

/** Where a message lies, without its text. */
export interface PlacedRow {
  id: MessageId;
  recipientId: RecipientId;
  isDirect: boolean;
  /** Whether one of the given people takes part in the direct message. */
  isShared: boolean;
}

/** The next messages in the order of their ids, of any place. */
export async function listPlaces(
  tx: Queryable,
  organizationId: OrganizationId,
  { after, upTo, limit, userIds }: { after: number; upTo: number; limit: number; userIds: readonly UserId[] },
): Promise<PlacedRow[]> {
  const next = sql`
    select organization_id, id, recipient_id, topic_id from messages
    where organization_id = ${organizationId} and id > ${after} and id <= ${upTo} order by id limit ${limit}`;
  return tx.query(placesOf(next, userIds));
}

/** Where these messages lie now. */
export async function listPlacesNow(
  tx: Queryable,
  organizationId: OrganizationId,
  { ids, userIds }: { ids: readonly MessageId[]; userIds: readonly UserId[] },
): Promise<PlacedRow[]> {
  const named = sql`
    select organization_id, id, recipient_id, topic_id from messages
    where organization_id = ${organizationId} and id = any(${ids}::bigint[])`;
  return tx.query(placesOf(named, userIds));
}

function placesOf(messages: Sql, userIds: readonly UserId[]): Sql {
  return sql`
    with m as materialized (${messages})
    select m.id, m.recipient_id as "recipientId", m.topic_id is null as "isDirect",
      m.topic_id is null and coalesce((
        select c.user_ids && ${userIds}::bigint[] from conversations c
        where c.organization_id = m.organization_id and c.id = m.recipient_id
      ), false) as "isShared"
    from m order by m.id`;
}

export interface TextRow {
  id: MessageId;
  recipientId: RecipientId;
  topic: string | null;
  userIds: UserId[] | null;
  senderId: UserId;
  client: string;
  sentAt: Date;
  content: string;
  editedAt: Date | null;
  movedAt: Date | null;
}

/** Those of these messages that still lie where they were found. */
export async function listTexts(
  tx: Queryable,
  organizationId: OrganizationId,
  places: readonly PlacedRow[],
): Promise<TextRow[]> {
  const ids = places.map(({ id }) => id);
  const recipientIds = places.map(({ recipientId }) => recipientId);
  return tx.query(sql`
    with m as materialized (
      select messages.* from messages
      join unnest(${ids}::bigint[], ${recipientIds}::bigint[]) as place (id, recipient_id)
        on messages.id = place.id and messages.recipient_id = place.recipient_id
      where messages.organization_id = ${organizationId} and messages.id = any(${ids}::bigint[])
    )
    select m.id, m.recipient_id as "recipientId", m.sender_id as "senderId", m.client, m.sent_at as "sentAt",
      m.content, m.edited_at as "editedAt", m.moved_at as "movedAt",
      (
        select t.name from topics t where t.organization_id = m.organization_id and t.id = m.topic_id
      ) as topic,
      case when m.topic_id is null then (
        select c.user_ids from conversations c
        where c.organization_id = m.organization_id and c.id = m.recipient_id
      ) end as "userIds"
    from m order by m.id`);
}

/** The flags that these people have on these messages. */
export async function listFlagsOf(
  tx: Queryable,
  organizationId: OrganizationId,
  ids: readonly MessageId[],
  userIds: readonly UserId[],
): Promise<{ messageId: MessageId; userId: UserId; flags: number }[]> {
  return tx.query(sql`
    select message_id as "messageId", user_id as "userId", flags from message_flags
    where organization_id = ${organizationId} and message_id = any(${ids}::bigint[])
      and user_id = any(${userIds}::bigint[])
    order by message_id, user_id`);
}
