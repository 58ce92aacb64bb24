/**
 * The queries that channels need on messages. Messages are in a layer above channels, so their rows are
 * read here and never written.
 */
import type { ChannelId, MessageId, OrganizationId, Position, UserId } from "../../../api/ids.ts";
import type { Database, Queryable } from "../../platform/db/database.ts";
import { prepare, sql } from "../../platform/db/sql.ts";
import { headsQuery } from "../../platform/log/store.ts";

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
  const ends = sql`
    select channel.id, earliest.id as "firstMessageId", latest.sent_at as "lastSentAt", log.head, log."stateHead"
    from unnest(${channelIds}::bigint[]) as channel (id)
    left join lateral (
      select m.id from messages m where m.organization_id = ${organizationId} and m.recipient_id = channel.id
      order by m.id limit 1
    ) as earliest on true
    left join lateral (
      select m.sent_at from messages m where m.organization_id = ${organizationId} and m.recipient_id = channel.id
      order by m.id desc limit 1
    ) as latest on true
    cross join (${headsQuery(organizationId)}) as log`;
  const rows = await tx.query<Omit<ReadEnds, "lastSentAt"> & { lastSentAt: Date | null }>(prepare(ends));
  return rows.map((row) => ({ ...row, lastSentAt: row.lastSentAt?.getTime() ?? null }));
}

/**
 * Positions of the log whose messages one transaction counts. PostgreSQL keeps the old versions of all rows
 * while a statement runs, and the log's row has a new version with each commit. So nothing counts a month of
 * messages at once.
 */
const POSITIONS_AT_ONCE = 50_000;

interface Sent {
  id: ChannelId;
  /** After `start`. */
  sent: number;
  /** Up to `endBefore`. */
  before: number;
}

/** Counts messages with after < id <= end, for each channel that has any. Each page is a transaction. */
async function countSent(
  database: Database,
  organizationId: OrganizationId,
  { after, end, start, endBefore }: Record<"after" | "end" | "start" | "endBefore", Position>,
): Promise<Map<ChannelId, Sent>> {
  const counts = new Map<ChannelId, Sent>();
  for (let from: number = after; from < end; from += POSITIONS_AT_ONCE) {
    const to = Math.min(from + POSITIONS_AT_ONCE, end);
    const page = sql`
      select recipient_id as id, (count(*) filter (where id > ${start}))::int as sent,
        (count(*) filter (where id <= ${endBefore}))::int as before
      from messages
      where organization_id = ${organizationId} and topic_id is not null and id > ${from} and id <= ${to}
      group by recipient_id`;
    for (const row of await database.transaction((tx) => tx.query<Sent>(page), { lane: "background" })) {
      const known = counts.get(row.id) ?? { id: row.id, sent: 0, before: 0 };
      counts.set(row.id, { id: row.id, sent: known.sent + row.sent, before: known.before + row.before });
    }
  }
  return counts;
}

/** How many messages were sent in each channel in the last `days` days; channels without any are left out. */
export async function listTraffic(
  database: Database,
  organizationId: OrganizationId,
  days: number,
): Promise<{ id: ChannelId; count: number }[]> {
  const [start, end] = await database.transaction(
    async (tx) => [
      await findPositionAt(tx, organizationId, new Date(Date.now() - days * DAY_MS)),
      await findNewestId(tx, organizationId),
    ],
    { lane: "background" },
  );
  const range = { after: start, start, end, endBefore: 0 as Position };
  const counts = await countSent(database, organizationId, range);
  return [...counts.values()].map(({ id, sent }) => ({ id, count: sent }));
}

/** Whatever their times say. */
async function findNewestId(tx: Queryable, organizationId: OrganizationId): Promise<Position> {
  const [row] = await tx.query<{ id: Position }>(sql`
    select id from messages where organization_id = ${organizationId} order by id desc limit 1`);
  return row?.id ?? (0 as Position);
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
  database: Database,
  organizationId: OrganizationId,
  { channelIds, upTo, trafficDays }: { channelIds: readonly ChannelId[]; upTo: number; trafficDays: number },
): Promise<Days[]> {
  const read = <T>(work: (tx: Queryable) => Promise<T>) => database.transaction(work, { lane: "background" });
  const at = (daysAgo: number) =>
    read((tx) => findPositionAt(tx, organizationId, new Date(upTo - daysAgo * DAY_MS)));
  const end = await at(0);
  const endBefore = await at(1);
  const start = await at(trafficDays);
  const range = { after: await at(trafficDays + 1), start, end, endBefore };
  const counts = await countSent(database, organizationId, range);
  const rows = await read((tx) =>
    tx.query<Omit<Days, "sent" | "sentBefore">>(sql`
      select channel.id as "channelId", last.sent_at as "lastSentAt", last_before.sent_at as "lastSentAtBefore"
      from unnest(${channelIds}::bigint[]) as channel (id)
      left join lateral (
        select m.sent_at from messages m
        where m.organization_id = ${organizationId} and m.recipient_id = channel.id and m.id <= ${end}
        order by m.id desc limit 1
      ) as last on true
      left join lateral (
        select m.sent_at from messages m
        where m.organization_id = ${organizationId} and m.recipient_id = channel.id and m.id <= ${endBefore}
        order by m.id desc limit 1
      ) as last_before on true`),
  );
  return rows.map((row) => {
    const { sent = 0, before = 0 } = counts.get(row.channelId) ?? {};
    return { ...row, sent, sentBefore: before };
  });
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

/** Those of these people who were active, have an event queue, or sent a message in the last `days` days. */
export async function listRecentlyActive(
  tx: Queryable,
  organizationId: OrganizationId,
  userIds: readonly UserId[],
  days: number,
): Promise<UserId[]> {
  const rows = await tx.query<{ id: UserId }>(sql`
    with since as (select now() - make_interval(days => ${days}::int) as moment)
    select u.id from users u, since
    where u.organization_id = ${organizationId} and u.id = any(${userIds}::bigint[]) and (
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
