import type { ChannelId, MessageId, OrganizationId, Position, UserId } from "../../../api/ids.ts";
import { beganAt, includes } from "../../channels/subscriptions/interval-bounds.ts";
import { prepare, type Sql, sql } from "../../platform/db/sql.ts";
import type { FoundRow } from "../../platform/log/grouped-change.ts";
import type { FoundMessage } from "../access.ts";
import { type MessageRow, messageColumns } from "../model/columns.ts";
import { askedJoins } from "../query/fetch.ts";
import { type ReadStates, readStatesAt } from "./store.ts";

/** A message whose text its writer wants to change. */
export interface AskedEdit {
  userId: UserId;
  messageId: number;
}

export type FoundEdit = FoundMessage &
  FoundRow &
  MessageRow &
  ReadStates & {
    /** Whether the channel is one of those whose readers are not read here. */
    isLarge: boolean;
    hasUploads: boolean;
    /** The people with flags on the message, and their flags. null: nobody has any. */
    flaggedIds: UserId[] | null;
    flagBits: number[] | null;
    /** The people with event queues that asked for all public channels. */
    listenerIds: UserId[];
    /** Where the newest subscription to the channel began. null: it was known to be before the message. */
    newestStart: Position | null;
    /** The subscribers since after the message. null: none. */
    lateIds: UserId[] | null;
    /** Those of all people above, and the writer, who received the message. */
    receivedIds: UserId[];
  };

/** What memory knows of channels. */
export interface KnownChannels {
  largeIds: readonly ChannelId[];
  /** Where the newest subscriptions to these channels began. */
  starts: { channelIds: readonly ChannelId[]; newest: readonly Position[] };
}

/** The messages with what decides about their edits, and about the flags that people have on them. */
export function findEdits(
  organizationId: OrganizationId,
  asked: readonly AskedEdit[],
  { largeIds, starts }: KnownChannels,
): Sql {
  return prepare(sql`
    with asked as materialized (
      select ordinality::int - 1 as number, user_id, id
      from unnest(${asked.map(({ userId }) => userId)}::bigint[], ${asked.map(({ messageId }) => messageId)}::bigint[])
        with ordinality as asked (user_id, id, ordinality)
    ), message as materialized (
      select asked.number, asked.user_id, is_large as "isLarge", case when not is_large then m.recipient_id end as place_id,
        ${messageColumns}, c.user_ids as "userIds", coalesce(received.is_so, false) as "wasReceived"
      from asked ${askedJoins(organizationId, sql`*, recipient_id = any(${largeIds}::bigint[]) as is_large`)}
      left join lateral (
        select name from topics where organization_id = ${organizationId} and id = m.topic_id offset 0
      ) t on true
    ), start as materialized (
      select channel.id as channel_id, s.user_ids, ${beganAt} as began_at
      from (
        select distinct place_id as id from message
        where place_id is not null and "topicId" is not null and not exists (
          select from unnest(${starts.channelIds}::bigint[], ${starts.newest}::bigint[]) as known (id, newest)
          where known.id = message.place_id and known.newest < message.id)
      ) channel
      cross join lateral (
        select organization_id, from_position_ref, array_agg(user_id) as user_ids from subscriptions
        where organization_id = ${organizationId} and channel_id = channel.id and to_position_ref is null
        group by organization_id, from_position_ref
      ) s
    ), listener as materialized (
      select array(
        select distinct user_id from event_queues
        where organization_id = ${organizationId} and options @> '{"allPublicStreams": true}'
      ) as ids
    )
    select message.*, listener.ids as "listenerIds",
      exists (
        select from message_uploads where organization_id = ${organizationId} and message_id = message.id
      ) as "hasUploads",
      flags.ids as "flaggedIds", flags.bits as "flagBits", states."inRanges", states."markedUnread",
      since.newest as "newestStart", since.late as "lateIds",
      array(
        select person.id
        from (select distinct unnest(array[message.user_id] || flags.ids || listener.ids || since.late) as id) person
        where exists (
          select from subscriptions s
          where s.organization_id = ${organizationId} and s.user_id = person.id and s.channel_id = message.place_id
            and ${includes(sql`message.id`)} offset 0)
      ) as "receivedIds"
    from message cross join listener
    left join lateral (
      select array_agg(user_id order by user_id) as ids, array_agg(flags order by user_id) as bits from message_flags
      where organization_id = ${organizationId} and message_id = message.id
    ) flags on true
    left join lateral (
      ${readStatesAt(organizationId, {
        id: sql`message.id`,
        recipientId: sql`message.place_id`,
        topicId: sql`case when message.place_id is not null then message."topicId" end`,
      })}
    ) states on true
    left join lateral (
      select max(began_at) as newest,
        (select array_agg(user_id) from start late cross join lateral unnest(late.user_ids) as user_id
          where late.channel_id = message.place_id and late.began_at > message.id) as late
      from start where channel_id = message.place_id
    ) since on true`);
}

/** The new text of a message. It mentions no groups. */
export interface EditWrite {
  id: MessageId;
  editorId: UserId;
  editedAt: Date;
  content: string;
  renderedContent: string;
  facts: number;
  previousContent: string;
  previousRenderedContent: string;
}

/** Writes new texts, each with a row of its history, of messages that are locked. */
export function writeEdits(organizationId: OrganizationId, writes: readonly EditWrite[]): Sql {
  const ids = sql`${writes.map(({ id }) => id)}::bigint[]`;
  const editedAt = sql`${writes.map((write) => write.editedAt)}::timestamptz[]`;
  return prepare(sql`
    with edited as (
      update messages m set content = e.contents[array_position(e.ids, m.id)],
        rendered_content = e.rendered[array_position(e.ids, m.id)], facts = e.facts[array_position(e.ids, m.id)],
        mentioned_group_ids = null, mentioned_group_positions = null,
        edited_at = e.edited_at[array_position(e.ids, m.id)]
      from (
        select ${ids} as ids, ${writes.map(({ content }) => content)}::text[] as contents,
          ${writes.map(({ renderedContent }) => renderedContent)}::text[] as rendered,
          ${writes.map(({ facts }) => facts)}::int[] as facts, ${editedAt} as edited_at
      ) e
      where m.organization_id = ${organizationId} and m.id = any(${ids})
    )
    insert into message_edits
      (organization_id, message_id, editor_id, edited_at, previous_content, previous_rendered_content)
    select ${organizationId}, e.*
    from unnest(${ids}, ${writes.map(({ editorId }) => editorId)}::bigint[], ${editedAt},
      ${writes.map(({ previousContent }) => previousContent)}::text[],
      ${writes.map(({ previousRenderedContent }) => previousRenderedContent)}::text[]) as e`);
}
