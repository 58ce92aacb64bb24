/**
 * What a person has read of a message, for statements that look at read states (decision 59). Two rows say
 * it: `t` of `topic_read_states`, for the message's topic, and `r` of `read_states`, for its channel or
 * conversation. Either may be missing. Where `t` says something about a message, `r` does not count. All
 * statements use these fragments, so the rule stands here alone.
 */
import type { OrganizationId } from "../../../api/ids.ts";
import { type Sql, sql } from "../../platform/db/sql.ts";

/** A condition: the ranges of `r` and `t` hold this id. `t`: another name of the topic's row. */
export function isInRanges(id: Sql, t = sql`t`): Sql {
  return sql`(coalesce(${t}.ranges @> ${id}, false)
    or coalesce(r.ranges @> ${id}, false) and not coalesce(${t}.gaps @> ${id}, false))`;
}

/** A condition: the person marked this id as unread by hand, or it moved here unread. */
export function isMarkedUnread(id: Sql, t = sql`t`): Sql {
  return sql`(coalesce(${t}.marked_unread @> ${id}, false)
    or coalesce(r.marked_unread @> ${id}, false) and not coalesce(${t}.ranges @> ${id}, false))`;
}

/** The same for all messages of the topic of `t`, as sets of ranges. */
export const readRanges: Sql = sql`
  (coalesce(t.ranges, '{}') + (coalesce(r.ranges, '{}') - coalesce(t.gaps, '{}')))`;
export const markedRanges: Sql = sql`
  (coalesce(t.marked_unread, '{}') + (coalesce(r.marked_unread, '{}') - coalesce(t.ranges, '{}')))`;

/**
 * A table to join laterally as `t`: the row of a person and a topic, looked up by its key whatever the
 * statistics say.
 */
export function topicReadState(
  organizationId: OrganizationId,
  userId: Sql,
  { channelId, topicId }: { channelId: Sql; topicId: Sql },
): Sql {
  return sql`(
    select * from topic_read_states
    where organization_id = ${organizationId} and user_id = ${userId} and channel_id = ${channelId}
      and topic_id = ${topicId}
    offset 0
  )`;
}

/** The same: a person's rows of a channel that have gaps. An index has only those. */
export function topicsWithGaps(organizationId: OrganizationId, userId: Sql, channelId: Sql): Sql {
  return sql`(
    select t.topic_id, t.gaps, t.marked_unread from topic_read_states t
    where t.organization_id = ${organizationId} and t.user_id = ${userId} and t.channel_id = ${channelId}
      and not isempty(t.gaps)
    offset 0
  )`;
}

/** The same for `r`: the row of a person and a channel or conversation. */
export function readState(organizationId: OrganizationId, userId: Sql, recipientId: Sql): Sql {
  return sql`(
    select * from read_states
    where organization_id = ${organizationId} and user_id = ${userId} and recipient_id = ${recipientId}
    offset 0
  )`;
}
