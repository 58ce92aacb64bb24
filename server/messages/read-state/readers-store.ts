import type { MessageId, OrganizationId, RecipientId, TopicId, UserId } from "../../../api/ids.ts";
import { beganAt } from "../../channels/subscriptions/interval-bounds.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { sql } from "../../platform/db/sql.ts";
import { isInRanges, isMarkedUnread, readState, topicReadState } from "./topic-read-states.ts";

/**
 * Which of these people have read a message, without those who have muted the asker or whom the asker has
 * muted. A message that moved counts as read for people who were not subscribed where it came from. So they
 * must have read it in each former channel, or have been subscribed there since it was sent. In the second
 * case it moved without a change of its read state.
 */
export async function listReaders(
  tx: Queryable,
  organizationId: OrganizationId,
  message: { id: MessageId; recipientId: RecipientId; topicId: TopicId | null },
  among: readonly UserId[],
  askerId: UserId,
): Promise<UserId[]> {
  const { id, recipientId, topicId } = message;
  const person = sql`person.id`;
  const here = { channelId: sql`${recipientId}::bigint`, topicId: sql`${topicId}::bigint` };
  const there = { channelId: sql`e.previous_channel_id`, topicId: sql`e.previous_topic_id` };
  const messageId = sql`${id}::bigint`;
  const rows = await tx.query<{ id: UserId }>(sql`
    select person.id from unnest(${among}::bigint[]) as person (id)
    left join lateral ${readState(organizationId, person, sql`${recipientId}::bigint`)} r on true
    left join lateral ${topicReadState(organizationId, person, here)} t on true
    where ${isInRanges(messageId)} and not ${isMarkedUnread(messageId)}
      and not exists (select from muted_users m where m.organization_id = ${organizationId} and m.ended_at is null
        and (m.user_id, m.muted_user_id) in ((person.id, ${askerId}), (${askerId}, person.id)))
      and not exists (
        select from message_edits e
        where e.organization_id = ${organizationId} and e.message_id = ${id} and e.previous_channel_id is not null
          and not exists (
            select from (select) it
            left join lateral ${readState(organizationId, person, sql`e.previous_channel_id`)} r on true
            left join lateral ${topicReadState(organizationId, person, there)} t on true
            where ${isInRanges(messageId)})
          and not exists (select from subscriptions s
            where s.organization_id = ${organizationId} and s.channel_id = e.previous_channel_id
              and s.user_id = person.id and s.to_position_ref is null and ${beganAt} < ${messageId}))
    order by person.id`);
  return rows.map((row) => row.id);
}
