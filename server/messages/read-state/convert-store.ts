/** Moves what the row of a channel says into rows of topics (decision 59). */
import type { ChannelId, OrganizationId, UserId } from "../../../api/ids.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { sql } from "../../platform/db/sql.ts";
import { MAX_PIECES, type Oversized, pieces } from "./bound-store.ts";

/** How many messages of a channel one statement looks at, the newest first. */
const MAX_EXAMINED = 20_000;

/** The row of a person and a channel. */
export interface OldReadState {
  userId: UserId;
  channelId: ChannelId;
}

/**
 * Takes the ranges above the first gap out of a row, at least those of the channel's `MAX_EXAMINED` newest
 * messages below the row's end. Rows of topics get them, except where these say something already. The part
 * below is one range then. Must be called under `lockReadState`.
 */
export async function convertRanges(
  tx: Queryable,
  organizationId: OrganizationId,
  { userId, channelId }: OldReadState,
): Promise<{ isDone: boolean; oversized: Oversized[] }> {
  const rows = await tx.query<Oversized & { isDone: boolean; isTooLarge: boolean }>(sql`
    with state as materialized (
      select ranges, marked_unread from read_states
      where organization_id = ${organizationId} and user_id = ${userId} and recipient_id = ${channelId}
    ), floor as materialized (
      select lower(ranges) as first, coalesce((
        select m.id - 1 from (
          select piece from unnest(int8multirange(int8range(lower(ranges), null)) - ranges) as piece order by piece
        ) gap cross join lateral (
          select id from messages m
          where m.organization_id = ${organizationId} and m.recipient_id = ${channelId} and m.id >= lower(gap.piece)
            and m.id < coalesce(upper(gap.piece), ${Number.MAX_SAFE_INTEGER}::bigint)
          order by m.id limit 1
        ) m limit 1), upper(ranges) - 1, 0) as last, upper(ranges) as "end"
      from state
    ), cut as materialized (
      select first, last, "end", greatest(last, (
        select id from messages m
        where m.organization_id = ${organizationId} and m.recipient_id = ${channelId} and m.id < floor."end"
        order by m.id desc offset ${MAX_EXAMINED} limit 1)) as id
      from floor
    ), read as (
      select topic_id, range_agg(int8range(start, id, '(]')) as ranges from (
        select m.topic_id, m.id, coalesce(lag(m.id) over (partition by m.topic_id order by m.id), m.id - 1) as start
        from cut join messages m
          on m.organization_id = ${organizationId} and m.recipient_id = ${channelId} and m.id > cut.id and m.id < cut."end"
      ) m cross join state
      where state.ranges @> m.id and not state.marked_unread @> m.id
      group by topic_id
    ), marked as (
      select m.topic_id, range_agg(int8range(m.id, m.id, '[]')) as ids
      from state cross join lateral unnest(state.marked_unread) as piece cross join lateral (
        select m.id, m.topic_id from messages m
        where m.organization_id = ${organizationId} and m.recipient_id = ${channelId} and m.id >= lower(piece)
          and m.id < coalesce(upper(piece), ${Number.MAX_SAFE_INTEGER}::bigint)
      ) m
      group by m.topic_id
    ), written as (
      insert into topic_read_states (organization_id, user_id, channel_id, topic_id, ranges, gaps, marked_unread)
      select ${organizationId}, ${userId}, ${channelId}, topic_id, coalesce(read.ranges, '{}'),
        coalesce(marked.ids, '{}'), coalesce(marked.ids, '{}')
      from read full join marked using (topic_id)
      order by topic_id
      on conflict (organization_id, user_id, channel_id, topic_id) do update
      set ranges = topic_read_states.ranges + (excluded.ranges - topic_read_states.gaps),
        gaps = topic_read_states.gaps + (excluded.gaps - topic_read_states.ranges),
        marked_unread = topic_read_states.marked_unread + (excluded.marked_unread - topic_read_states.ranges)
      returning topic_id, ${pieces(sql`topic_read_states.ranges`)} + ${pieces(sql`topic_read_states.gaps`)} as pieces
    ), kept as (
      update read_states r set marked_unread = '{}', ranges = case
        when isempty(r.ranges) then r.ranges
        when cut.id <= cut.last then int8multirange(int8range(cut.first, cut.last, '[]'))
        else r.ranges * int8multirange(int8range(null, cut.id, '[]')) end
      from cut
      where r.organization_id = ${organizationId} and r.user_id = ${userId} and r.recipient_id = ${channelId}
    )
    select ${channelId}::bigint as "recipientId", written.topic_id as "topicId", cut.id <= cut.last as "isDone",
      coalesce(written.pieces > ${MAX_PIECES}, false) as "isTooLarge"
    from cut left join written on true`);
  return {
    isDone: rows.every(({ isDone }) => isDone),
    oversized: rows.filter(({ isTooLarge }) => isTooLarge),
  };
}

/**
 * Rows that are left, those of the most recently active people first. Organizations that are being imported
 * have no log, so no node can load them yet.
 */
export async function listOldReadStates(
  tx: Queryable,
  limit: number,
): Promise<(OldReadState & { organizationId: OrganizationId })[]> {
  return tx.query(sql`
    select o.organization_id as "organizationId", o.user_id as "userId", o.channel_id as "channelId"
    from old_read_states o
    left join presences p on p.organization_id = o.organization_id and p.user_id = o.user_id
    where exists (select from organization_logs l where l.organization_id = o.organization_id)
    order by p.last_connected_at desc nulls last, o.organization_id, o.user_id, o.channel_id limit ${limit}`);
}

export async function deleteOldReadState(
  tx: Queryable,
  organizationId: OrganizationId,
  { userId, channelId }: OldReadState,
): Promise<void> {
  await tx.query(sql`
    delete from old_read_states
    where organization_id = ${organizationId} and user_id = ${userId} and channel_id = ${channelId}`);
}
