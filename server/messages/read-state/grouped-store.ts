/** What a group of marks reads. */
import type { MessageId, OrganizationId, TopicId, UserId } from "../../../api/ids.ts";
import { beganAt } from "../../channels/subscriptions/interval-bounds.ts";
import { prepare, type Sql, sql } from "../../platform/db/sql.ts";
import type { FoundRow } from "../../platform/log/grouped-change.ts";
import type { FoundMessage } from "../access.ts";
import { askedColumns, askedJoins } from "../query/fetch.ts";
import { pieces } from "./bound-store.ts";
import type { PersonalBits } from "./read-state.ts";
import { isInRanges, isMarkedUnread, readState, topicReadState } from "./topic-read-states.ts";

/** A message that a person marks. */
export interface AskedMark {
  /** The place of the request in its group. */
  number: number;
  userId: UserId;
  messageId: number;
}

export type FoundMark = FoundMessage &
  FoundRow &
  PersonalBits & {
    id: MessageId;
    topicId: TopicId | null;
    senderId: UserId;
    facts: number;
    /** Where the person's present subscription to its channel began; null without one. */
    since: number | null;
    /** How many ranges and gaps the row has that a mark would write. */
    pieces: number;
  };

/** The messages with what these people have read of them, in the order of the people and the ids. */
export function findMarks(organizationId: OrganizationId, asked: readonly AskedMark[]): Sql {
  const me = sql`asked.user_id`;
  const ofTopic = { channelId: sql`m.recipient_id`, topicId: sql`m.topic_id` };
  return prepare(sql`
    with asked as materialized (
      select * from unnest(${asked.map(({ number }) => number)}::int[], ${asked.map(({ userId }) => userId)}::bigint[],
        ${asked.map(({ messageId }) => messageId)}::bigint[]) as asked (number, user_id, id)
      order by user_id, id
    )
    select asked.number, ${askedColumns}, m.topic_id as "topicId", m.sender_id as "senderId", m.facts,
      coalesce(f.flags, 0) as personal, ${isInRanges(sql`m.id`)} as "isInRanges",
      ${isMarkedUnread(sql`m.id`)} as "isMarkedUnread", s.began_at as since,
      case when m.topic_id is null then ${pieces(sql`r.ranges`)}
        else ${pieces(sql`t.ranges`)} + ${pieces(sql`t.gaps`)} end as pieces
    from asked ${askedJoins(organizationId, sql`id, recipient_id, topic_id, sender_id, facts`)}
    left join lateral (
      select flags from message_flags
      where organization_id = ${organizationId} and user_id = asked.user_id and message_id = asked.id offset 0
    ) f on true
    left join lateral (
      select ${beganAt} as began_at from subscriptions s
      where s.organization_id = ${organizationId} and s.user_id = asked.user_id and s.channel_id = m.recipient_id
        and s.to_position_ref is null
      offset 0
    ) s on m.topic_id is not null
    left join lateral ${readState(organizationId, me, sql`m.recipient_id`)} r on true
    left join lateral ${topicReadState(organizationId, me, ofTopic)} t on true`);
}
