/** The topics with most unread messages, found from the gaps in the read states. */
import type { OrganizationId, UserId } from "../../../api/ids.ts";
import { topicPolicies } from "../../attention/user-topics/policy.ts";
import type { User } from "../../people/user.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { type Sql, sql } from "../../platform/db/sql.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import type { UnreadTopic } from "../for-mail.ts";
import type { ReadableRange } from "../query/readable/readable-ranges.ts";
import { cameUnread, rangeTable } from "../query/scan.ts";
import { gapRanges, unreadRanges } from "../query/scan-unread.ts";
import { readState, topicReadState, topicsWithGaps } from "./topic-read-states.ts";

/** The most unread messages that a summary counts, in one channel or in all together. */
const MAX_COUNTED = 5000;

export interface BusiestQuery {
  /** At least one, and only ranges of channels. */
  ranges: readonly ReadableRange[];
  after: number;
  withoutSenders: readonly UserId[];
  limit: number;
}

/**
 * Selects the newest unread messages `m` of each `range`: those in the gaps of the row of the channel or
 * conversation of which no row of a topic says anything, and those in the gaps of the rows of topics.
 */
function inGaps(search: {
  organizationId: OrganizationId;
  user: User;
  after: number;
  limit: number;
  /** `id` among them. */
  columns: Sql;
  condition: Sql;
}): Sql {
  const { organizationId, after, limit, columns, condition } = search;
  const me = sql`${search.user.id}::bigint`;
  const ofMessage = { channelId: sql`m.recipient_id`, topicId: sql`m.topic_id` };
  const newest = (gaps: Sql, place: Sql) => sql`
    cross join lateral unnest(${gaps} * int8multirange(int8range(${after}, null, '()'))) as gap
    cross join lateral (
      select ${columns} from messages m
      where m.organization_id = ${organizationId} and ${place} and m.id >= lower(gap)
        and m.id < coalesce(upper(gap), ${Number.MAX_SAFE_INTEGER}::bigint) and ${condition}
      order by m.id desc limit ${limit}
    ) found`;
  return sql`
    select * from (
      select found.* from range
      -- One look-up a range, whatever the statistics say: as a join, it may compare all ranges with all read
      -- states.
      left join lateral ${readState(organizationId, me, sql`range.recipient_id`)} r on true
      ${newest(
        unreadRanges,
        sql`m.recipient_id = range.recipient_id and not exists (
          select from ${topicReadState(organizationId, me, ofMessage)} t where t.ranges @> m.id or t.gaps @> m.id)`,
      )}
      union all
      select found.* from range
      cross join lateral ${topicsWithGaps(organizationId, me, sql`range.recipient_id`)} t
      ${newest(gapRanges, sql`m.topic_id = t.topic_id`)}
    ) found
    order by found.id desc limit ${limit}`;
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
      ${inGaps({
        organizationId,
        user,
        after,
        limit: MAX_COUNTED,
        columns: sql`m.id, m.topic_id, m.sender_id`,
        condition: sql`${cameUnread({ state, user })} and m.sender_id <> all(${withoutSenders}::bigint[]) and not (
          select ${isMuted} from (select) one
          left join subscription_preferences p on p.organization_id = ${organizationId} and p.user_id = ${user.id}
            and p.channel_id = m.recipient_id
          left join topic_policies w on w.organization_id = ${organizationId} and w.user_id = ${user.id}
            and w.topic_id = m.topic_id)`,
      })}
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

/**
 * A topic is muted as its channel is, unless the reader has a policy for it. For rows `p` of
 * subscription_preferences and `w` of topic_policies, which may be missing.
 */
export const isMuted = sql`coalesce(w.policy = ${topicPolicies.muted}, p.is_muted, false)`;
