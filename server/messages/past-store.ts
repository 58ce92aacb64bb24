import type { ChannelId, MessageId, OrganizationId, RecipientId, TopicId, UserId } from "../../api/ids.ts";
import { int8Array } from "../platform/db/array.ts";
import type { Queryable } from "../platform/db/database.ts";
import { compiled, sql } from "../platform/db/sql.ts";
import type { EditRow } from "./edit/store.ts";
import { type SentRow, sentNames, sentTable, sentValues } from "./model/columns.ts";

export interface PastRow extends SentRow {
  id: MessageId;
  sentAt: Date;
  editedAt: Date | null;
  movedAt: Date | null;
}

interface PastRows {
  organizationId: OrganizationId;
  messages: readonly PastRow[];
}

const insertRows = compiled<PastRows>(sql`
  insert into messages (organization_id, id, sent_at, edited_at, moved_at, ${sentNames})
  select ${({ organizationId }: PastRows) => organizationId}, w.id, w.sent_at, w.edited_at, w.moved_at, ${sentValues}
  from ${sentTable<PastRows>(({ messages }) => messages)}
  join unnest(${({ messages }: PastRows) => int8Array(messages.map(({ id }) => id))}::bigint[],
    ${({ messages }: PastRows) => messages.map(({ sentAt }) => sentAt)}::timestamptz[],
    ${({ messages }: PastRows) => messages.map(({ editedAt }) => editedAt)}::timestamptz[],
    ${({ messages }: PastRows) => messages.map(({ movedAt }) => movedAt)}::timestamptz[])
    with ordinality as w (id, sent_at, edited_at, moved_at, ordinality) using (ordinality)`);

export async function insertPastRows(
  tx: Queryable,
  organizationId: OrganizationId,
  messages: readonly PastRow[],
): Promise<void> {
  await tx.query(insertRows({ organizationId, messages }));
}

export async function insertPastFlags(
  tx: Queryable,
  organizationId: OrganizationId,
  flags: readonly { messageId: MessageId; userId: UserId; bits: number }[],
): Promise<void> {
  await tx.query(sql`
    insert into message_flags (organization_id, user_id, message_id, flags)
    select ${organizationId}, f.user_id, f.message_id, f.flags
    from unnest(${flags.map(({ userId }) => userId)}::bigint[], ${flags.map(({ messageId }) => messageId)}::bigint[],
      ${flags.map(({ bits }) => bits)}::int[]) as f (user_id, message_id, flags)
    on conflict do nothing`);
}

export interface PastEditRow extends EditRow {
  previousTopicId: TopicId | null;
}

export async function insertPastEdits(
  tx: Queryable,
  organizationId: OrganizationId,
  edits: readonly PastEditRow[],
): Promise<void> {
  await tx.query(sql`
    insert into message_edits (organization_id, message_id, editor_id, edited_at, previous_content,
      previous_rendered_content, previous_topic, topic, previous_channel_id, channel_id, previous_topic_id)
    select ${organizationId}, e."messageId", e."editorId", e."editedAt", e."previousContent",
      e."previousRenderedContent", e."previousTopic", e.topic, e."previousChannelId", e."channelId",
      e."previousTopicId"
    from rows from (jsonb_to_recordset(${JSON.stringify(edits)}::jsonb)
      as ("messageId" bigint, "editorId" bigint, "editedAt" timestamptz, "previousContent" text,
        "previousRenderedContent" text, "previousTopic" text, topic text, "previousChannelId" bigint,
        "channelId" bigint, "previousTopicId" bigint)) with ordinality as e
    order by e.ordinality`);
}

export async function insertPastReadStates(
  tx: Queryable,
  organizationId: OrganizationId,
  rows: readonly { userId: UserId; recipientId: RecipientId; ranges: string }[],
  long: readonly { userId: UserId; channelId: ChannelId }[],
): Promise<void> {
  await tx.query(sql`
    insert into read_states (organization_id, user_id, recipient_id, ranges)
    select ${organizationId}, r.user_id, r.recipient_id, r.ranges::int8multirange
    from unnest(${rows.map(({ userId }) => userId)}::bigint[], ${rows.map(({ recipientId }) => recipientId)}::bigint[],
      ${rows.map(({ ranges }) => ranges)}::text[]) as r (user_id, recipient_id, ranges)
    on conflict (organization_id, user_id, recipient_id) do update set ranges = excluded.ranges`);
  await tx.query(sql`
    insert into old_read_states (organization_id, user_id, channel_id)
    select ${organizationId}, l.user_id, l.channel_id
    from unnest(${long.map(({ userId }) => userId)}::bigint[], ${long.map(({ channelId }) => channelId)}::bigint[])
      as l (user_id, channel_id)
    on conflict do nothing`);
}
