import type { MessageId, OrganizationId, RecipientId, UserId } from "../../../api/ids.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { type Sql, sql } from "../../platform/db/sql.ts";

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

/** The next messages that somebody sent, wherever they lie. */
export async function listSent(
  tx: Queryable,
  organizationId: OrganizationId,
  { senderId, after, limit }: { senderId: UserId; after: number; limit: number },
): Promise<TextRow[]> {
  return tx.query(sql`
    select m.id, m.recipient_id as "recipientId", m.sender_id as "senderId", m.client, m.sent_at as "sentAt",
      m.content, m.edited_at as "editedAt", m.moved_at as "movedAt",
      (
        select t.name from topics t where t.organization_id = m.organization_id and t.id = m.topic_id
      ) as topic,
      case when m.topic_id is null then (
        select c.user_ids from conversations c
        where c.organization_id = m.organization_id and c.id = m.recipient_id
      ) end as "userIds"
    from messages m
    where m.organization_id = ${organizationId} and m.sender_id = ${senderId} and m.id > ${after}
    order by m.id limit ${limit}`);
}

/** What these messages said before this person edited them. */
export async function listOwnEdits(
  tx: Queryable,
  organizationId: OrganizationId,
  editorId: UserId,
  ids: readonly MessageId[],
): Promise<{ messageId: MessageId; editedAt: Date; content: string }[]> {
  return tx.query(sql`
    select message_id as "messageId", edited_at as "editedAt", previous_content as content from message_edits
    where organization_id = ${organizationId} and message_id = any(${ids}::bigint[])
      and editor_id = ${editorId} and previous_content is not null
    order by message_id, id`);
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
