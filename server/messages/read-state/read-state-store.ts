/**
 * Unread messages, found from the gaps in the read states. So the cost depends on the unread messages,
 * not on all received ones.
 */
import type { MessageId, RecipientId, TopicId, UserId } from "../../../api/ids.ts";
import { topicPolicies } from "../../attention/user-topics/policy.ts";
import type { User } from "../../people/user.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { type Sql, sql } from "../../platform/db/sql.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import type { UnreadTopic } from "../for-mail.ts";
import { messageFacts, personalFlags } from "../model/message.ts";
import { isMentionedByGroup } from "../query/mentioned-by-group.ts";
import {
  type ReadableRange,
  type ReadableScope,
  readableRangesOf,
} from "../query/readable/readable-ranges.ts";
import { cameUnread, rangeTable, unreadRanges, wasReceived } from "../query/scan.ts";

/** Only the newest are listed: a person with more unread messages will hardly miss the rest. */
export const MAX_UNREAD = 50_000;

/** The most unread messages that a summary counts, in one channel or in all together. */
const MAX_COUNTED = 5000;

export interface BusiestQuery {
  /** At least one, and only ranges of channels. */
  ranges: readonly ReadableRange[];
  after: number;
  withoutSenders: readonly UserId[];
  limit: number;
}

/** The unread messages of one topic or direct-message conversation. */
export interface UnreadConversation {
  recipientId: RecipientId;
  topicId: TopicId | null;
  topic: string | null;
  /** The people of a direct message; null for a channel's. */
  userIds: UserId[] | null;
  isMuted: boolean;
  /** Ascending. */
  messageIds: MessageId[];
  /** The unread messages that mention the user. In a muted channel or topic, only mentions by name count. */
  mentionIds: MessageId[] | null;
}

/**
 * A user's newest unread messages by conversation, of everything that they can read. Reads memory before
 * its first await.
 */
export async function listUnread(
  state: OrganizationState,
  tx: Queryable,
  user: User,
  everything: Promise<ReadableScope>,
): Promise<UnreadConversation[]> {
  const isByGroup = isMentionedByGroup({ state, user }, sql`u`);
  const notRead = cameUnread({ state, user });
  const isReceived = wasReceived({ state, user });
  const ranges = readableRangesOf(await everything, { withHistory: true }).filter(
    (range) => range.unreadAfter !== null,
  );
  if (ranges.length === 0) return [];
  const { organizationId } = state;
  return tx.query(sql`
    with ${rangeTable({ ranges: ranges })}, unread as (
      select found.* from range
      -- One look-up a range, whatever the statistics say: as a join, it may compare all ranges with all read states.
      left join lateral (
        select * from read_states
        where organization_id = ${organizationId} and user_id = ${user.id} and recipient_id = range.recipient_id
        offset 0
      ) r on true
      cross join lateral unnest(${unreadRanges}) as gap
      cross join lateral (
        select m.id, m.recipient_id, m.topic_id, m.facts, m.mentioned_group_ids,
          m.mentioned_group_positions, m.sent_at,
          m.id > range.unread_after or ${isReceived} as is_received
        from messages m
        where m.organization_id = ${organizationId} and m.recipient_id = range.recipient_id and m.id >= lower(gap)
          and m.id < coalesce(upper(gap), ${Number.MAX_SAFE_INTEGER}::bigint) and ${notRead}
        order by m.id desc limit ${MAX_UNREAD}
      ) found
      order by found.id desc limit ${MAX_UNREAD}
    )
    select u.recipient_id as "recipientId", u.topic_id as "topicId", t.name as topic, c.user_ids as "userIds",
      ${isMuted} as "isMuted", array_agg(u.id order by u.id) as "messageIds",
      array_agg(u.id order by u.id) filter (where f.flags & ${personalFlags.mentioned}::int <> 0
        or not ${isMuted} and (f.flags & ${personalFlags.topicMentioned}::int <> 0
          or u.is_received and ${mentionsMany(isByGroup)})) as "mentionIds"
    from unread u
    -- Looked up by key, whatever the statistics say: as joins, these may compare all with all.
    left join lateral (
      select name from topics where organization_id = ${organizationId} and id = u.topic_id offset 0
    ) t on true
    left join lateral (
      select user_ids from conversations where organization_id = ${organizationId} and id = u.recipient_id offset 0
    ) c on u.topic_id is null
    left join lateral (
      select flags from message_flags
      where organization_id = ${organizationId} and user_id = ${user.id} and message_id = u.id offset 0
    ) f on true
    left join lateral (
      select is_muted from subscription_preferences
      where organization_id = ${organizationId} and user_id = ${user.id} and channel_id = u.recipient_id offset 0
    ) p on true
    left join lateral (
      select policy from topic_policies
      where organization_id = ${organizationId} and user_id = ${user.id} and topic_id = u.topic_id offset 0
    ) w on true
    group by u.recipient_id, u.topic_id, t.name, c.user_ids, p.is_muted, w.policy
    order by u.recipient_id, t.name`);
}

const MAX_LISTED_SENDERS = 5;

/**
 * The topics with most unread messages after a position, the busiest first. Muted ones are left out, and so
 * are messages of `withoutSenders`. No more than `MAX_COUNTED` messages are counted, the newest.
 */
export async function listBusiestUnread(
  tx: Queryable,
  { state, user }: { state: OrganizationState; user: User },
  { ranges, after, withoutSenders, limit }: BusiestQuery,
): Promise<UnreadTopic[]> {
  const { organizationId } = state;
  return tx.query(sql`
    with ${rangeTable({ ranges })}, unread as (
      select found.* from range
      left join lateral (
        select * from read_states
        where organization_id = ${organizationId} and user_id = ${user.id} and recipient_id = range.recipient_id
        offset 0
      ) r on true
      left join subscription_preferences p on p.organization_id = ${organizationId} and p.user_id = ${user.id}
        and p.channel_id = range.recipient_id
      cross join lateral unnest(${unreadRanges} * int8multirange(int8range(${after}, null, '()'))) as gap
      cross join lateral (
        select m.id, m.topic_id, m.sender_id from messages m
        left join topic_policies w on w.organization_id = ${organizationId} and w.user_id = ${user.id}
          and w.topic_id = m.topic_id
        where m.organization_id = ${organizationId} and m.recipient_id = range.recipient_id and m.id >= lower(gap)
          and m.id < coalesce(upper(gap), ${Number.MAX_SAFE_INTEGER}::bigint) and ${cameUnread({ state, user })}
          and m.sender_id <> all(${withoutSenders}::bigint[]) and not ${isMuted}
        order by m.id desc limit ${MAX_COUNTED}
      ) found
      order by found.id desc limit ${MAX_COUNTED}
    ), by_sender as (
      select topic_id, sender_id, count(*) as count, min(id) as first_id from unread group by topic_id, sender_id
    )
    select t.channel_id as "channelId", t.name as topic, min(s.first_id) as "firstId", sum(s.count)::int as count,
      (array_agg(s.sender_id order by s.count desc, s.sender_id))[1:${MAX_LISTED_SENDERS}::int] as "senderIds",
      count(*)::int as "senderCount", (count(*) over ())::int as "topicCount",
      (sum(sum(s.count)) over ())::int as "messageCount"
    from by_sender s join topics t on t.organization_id = ${organizationId} and t.id = s.topic_id
    group by t.id, t.channel_id, t.name
    order by sum(s.count) desc, t.id limit ${limit}`);
}

/** A topic is muted as its channel is, unless the reader has a policy for it. */
const isMuted = sql`coalesce(w.policy = ${topicPolicies.muted}, p.is_muted, false)`;

function mentionsMany(isByGroup: Sql) {
  return sql`(u.facts & ${messageFacts.mentionsChannel}::int <> 0 or ${isByGroup})`;
}
