import type { ChannelId, OrganizationId, UserId } from "../../../api/ids.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { sql } from "../../platform/db/sql.ts";
import { beganAt, endedAt } from "../subscriptions/interval-bounds.ts";

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
