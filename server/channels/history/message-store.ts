/**
 * The queries that channels need on messages. Messages are in a layer above channels, so their rows are
 * read here and never written.
 */
import type { ChannelId, MessageId, OrganizationId, Position, UserId } from "../../../api/ids.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { sql } from "../../platform/db/sql.ts";

const DAY_MS = 24 * 3600 * 1000;

/** The oldest message of a channel, and when its newest was sent, in UNIX milliseconds. */
export interface MessageEnds {
  firstMessageId: MessageId | null;
  lastSentAt: number | null;
}

/** The ends of a channel as they were at a position of the log. */
export interface ReadEnds extends MessageEnds {
  id: ChannelId;
  head: Position;
  stateHead: Position;
}

export async function listMessageEnds(
  tx: Queryable,
  organizationId: OrganizationId,
  channelIds: readonly ChannelId[],
): Promise<ReadEnds[]> {
  const rows = await tx.query<Omit<ReadEnds, "lastSentAt"> & { lastSentAt: Date | null }>(sql`
    select channel.id, earliest.id as "firstMessageId", latest.sent_at as "lastSentAt", log.head,
      log.state_head as "stateHead"
    from unnest(${channelIds}::bigint[]) as channel (id)
    left join lateral (
      select m.id from messages m where m.organization_id = ${organizationId} and m.recipient_id = channel.id
      order by m.id limit 1
    ) as earliest on true
    left join lateral (
      select m.sent_at from messages m where m.organization_id = ${organizationId} and m.recipient_id = channel.id
      order by m.id desc limit 1
    ) as latest on true
    join organization_logs log on log.organization_id = ${organizationId}`);
  return rows.map((row) => ({ ...row, lastSentAt: row.lastSentAt?.getTime() ?? null }));
}

/** How many messages were sent in each channel in the last `days` days; channels without any are left out. */
export async function listTraffic(
  tx: Queryable,
  organizationId: OrganizationId,
  days: number,
): Promise<{ id: ChannelId; count: number }[]> {
  return tx.query(sql`
    select recipient_id as id, count(*) as count from messages
    where organization_id = ${organizationId} and topic_id is not null
      and sent_at > now() - make_interval(days => ${days}::int)
    group by recipient_id`);
}

/** The activity in a channel up to a time, and up to a day before it. */
export interface Days {
  channelId: ChannelId;
  /** When the newest message up to each time was sent. */
  lastSentAt: Date | null;
  lastSentAtBefore: Date | null;
  /** How many messages were sent in the `trafficDays` up to each time. */
  sent: number;
  sentBefore: number;
}

/** `upTo`: in UNIX milliseconds. */
export async function listDays(
  tx: Queryable,
  organizationId: OrganizationId,
  { channelIds, upTo, trafficDays }: { channelIds: readonly ChannelId[]; upTo: number; trafficDays: number },
): Promise<Days[]> {
  const at = (daysAgo: number) => findPositionAt(tx, organizationId, new Date(upTo - daysAgo * DAY_MS));
  const end = await at(0);
  const endBefore = await at(1);
  const start = await at(trafficDays);
  const startBefore = await at(trafficDays + 1);
  return tx.query(sql`
    with sent as (
      select recipient_id, (count(*) filter (where id > ${start}))::int as sent,
        (count(*) filter (where id <= ${endBefore}))::int as before
      from messages
      where organization_id = ${organizationId} and topic_id is not null and id > ${startBefore} and id <= ${end}
      group by recipient_id
    )
    select channel.id as "channelId", last.sent_at as "lastSentAt", last_before.sent_at as "lastSentAtBefore",
      coalesce(sent.sent, 0) as sent, coalesce(sent.before, 0) as "sentBefore"
    from unnest(${channelIds}::bigint[]) as channel (id)
    left join sent on sent.recipient_id = channel.id
    left join lateral (
      select m.sent_at from messages m
      where m.organization_id = ${organizationId} and m.recipient_id = channel.id and m.id <= ${end}
      order by m.id desc limit 1
    ) as last on true
    left join lateral (
      select m.sent_at from messages m
      where m.organization_id = ${organizationId} and m.recipient_id = channel.id and m.id <= ${endBefore}
      order by m.id desc limit 1
    ) as last_before on true`);
}

/**
 * The id of the last message sent up to a time. Ids grow with time, so a binary search by the key finds
 * it.
 */
async function findPositionAt(tx: Queryable, organizationId: OrganizationId, at: Date): Promise<Position> {
  const [row] = await tx.query<{ id: Position }>(sql`
    with recursive step (low, high) as (
      select 0::bigint, coalesce((
        select id from messages where organization_id = ${organizationId} order by id desc limit 1
      ), 0)
      union all
      select case when middle.sent_at <= ${at} then middle.id else step.low end,
        case when middle.sent_at <= ${at} then step.high else (step.low + step.high) / 2 end
      from step left join lateral (
        select m.id, m.sent_at from messages m
        where m.organization_id = ${organizationId} and m.id > (step.low + step.high) / 2 and m.id <= step.high
        order by m.id limit 1
      ) as middle on true
      where step.low < step.high
    )
    select low as id from step order by high - low limit 1`);
  return row?.id ?? (0 as Position);
}

/** People who were active, have an event queue, or sent a message in the last `days` days. */
export async function listRecentlyActive(
  tx: Queryable,
  organizationId: OrganizationId,
  days: number,
): Promise<UserId[]> {
  const rows = await tx.query<{ id: UserId }>(sql`
    with since as (select now() - make_interval(days => ${days}::int) as moment)
    select u.id from users u, since
    where u.organization_id = ${organizationId} and (
      u.last_active_at > since.moment
      or u.id in (select user_id from event_queues where organization_id = ${organizationId})
      or (select m.sent_at from messages m where m.organization_id = u.organization_id and m.sender_id = u.id
          order by m.id desc limit 1) > since.moment)`);
  return rows.map((row) => row.id);
}

/** Whether a message in the channel has a topic with a name. */
export async function hasNamedTopics(
  tx: Queryable,
  organizationId: OrganizationId,
  channelId: ChannelId,
): Promise<boolean> {
  const [row] = await tx.query<{ found: boolean }>(sql`
    select exists (
      select from topics t
      where t.organization_id = ${organizationId} and t.channel_id = ${channelId} and t.name <> '' and exists (
        select from messages m where m.organization_id = t.organization_id and m.topic_id = t.id)
    ) as found`);
  return row?.found === true;
}
