/**
 * Whether a channel is recently active, and how much is said in it, changes by the passing of time. Nobody could be told at
 * the moment, so a job tells it once a day: what is different from the day before.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { Type } from "typebox";
import type { ChannelId, OrganizationId, Position } from "../../../../api/ids.ts";
import type { Queryable } from "../../../platform/db/database.ts";
import { sql } from "../../../platform/db/sql.ts";
import { enqueue } from "../../../platform/jobs/enqueue.ts";
import { defineJob, definePeriodicJob } from "../../../platform/jobs/job.ts";
import { runContentChange } from "../../../platform/log/change.ts";
import type { OrganizationState } from "../../../platform/log/organization-state.ts";
import { patchOf } from "../../../platform/log/projection.ts";
import type { Services } from "../../../services.ts";
import { type Channel, channels } from "../channel.ts";
import { appendChannelUpdated, type PropertyChange } from "../events.ts";
import { toThoseWhoSee } from "../visibility/audiences.ts";
import { channelHistories, historyAt, TRAFFIC_DAYS } from "./history.ts";

const DAY_MS = 24 * 3600 * 1000;
/** Each is told to everyone who may know of it; between these groups others get their turn. */
const CHANNELS_AT_ONCE = 10;
const PAUSE_MS = 20;

export const findHistoryChanges = definePeriodicJob({
  name: "find_channel_history_changes",
  schedule: "17 3 * * *",
  async run({ database, queues }: Services, { dueAt }) {
    await database.transaction(async (tx) => {
      for (const organizationId of await queues.listListenedOrganizations(tx)) {
        await enqueue(tx, announceHistoryChanges, { organizationId, upTo: dueAt.getTime() });
      }
    });
  },
});

export const announceHistoryChanges = defineJob({
  name: "announce_channel_history_changes",
  payload: Type.Object({ organizationId: Type.Integer(), upTo: Type.Integer() }),
  async run({ organizations }: Services, { organizationId, upTo }, { signal }) {
    const state = await organizations.byId(organizationId as OrganizationId);
    const changes = await findChanges(state, upTo);
    while (changes.length > 0) {
      signal.throwIfAborted();
      await tell(state, changes.splice(0, CHANNELS_AT_ONCE));
      await sleep(PAUSE_MS);
    }
  },
});

interface HistoryChange {
  channel: Channel;
  sent: number;
  properties: PropertyChange[];
}

async function tell(state: OrganizationState, changes: readonly HistoryChange[]): Promise<void> {
  await runContentChange(state, async (tx) => {
    for (const { channel, sent, properties } of changes) {
      // The nodes' memory says the same from then on, until they count again.
      const patch = patchOf(channelHistories, { traffic: [[channel.id, sent]] });
      for (const property of properties) {
        appendChannelUpdated(tx, channel, property, toThoseWhoSee(channel.id), patch);
      }
    }
  });
}

async function findChanges(state: OrganizationState, upTo: number): Promise<HistoryChange[]> {
  const all = [...state.get(channels).all()].filter(({ isArchived }) => !isArchived);
  const rows = await state.database.transaction((tx) => listDays(tx, state.organizationId, all, upTo));
  const byId = new Map(rows.map((row) => [row.channelId, row]));
  return all.flatMap((channel) => {
    const row = byId.get(channel.id);
    const now = historyAt(channel, { lastSentAt: time(row?.lastSentAt), sent: row?.sent ?? 0 }, upTo);
    const before = historyAt(
      channel,
      { lastSentAt: time(row?.lastSentAtBefore), sent: row?.sentBefore ?? 0 },
      upTo - DAY_MS,
    );
    const properties: PropertyChange[] = [];
    if (now.isRecentlyActive !== before.isRecentlyActive) {
      properties.push({ property: "is_recently_active", value: now.isRecentlyActive });
    }
    if (now.weeklyTraffic !== before.weeklyTraffic) {
      properties.push({ property: "stream_weekly_traffic", value: now.weeklyTraffic });
    }
    return properties.length === 0 ? [] : [{ channel, sent: row?.sent ?? 0, properties }];
  });
}

function time(date: Date | null | undefined): number | null {
  return date?.getTime() ?? null;
}

interface Days {
  channelId: ChannelId;
  /** The newest message up to the time, and up to a day before it. */
  lastSentAt: Date | null;
  lastSentAtBefore: Date | null;
  /** Messages in the weeks up to the time, and up to a day before it. */
  sent: number;
  sentBefore: number;
}

async function listDays(
  tx: Queryable,
  organizationId: OrganizationId,
  all: readonly Channel[],
  upTo: number,
): Promise<Days[]> {
  const at = (daysAgo: number) => findPositionAt(tx, organizationId, new Date(upTo - daysAgo * DAY_MS));
  const end = await at(0);
  const endBefore = await at(1);
  const start = await at(TRAFFIC_DAYS);
  const startBefore = await at(TRAFFIC_DAYS + 1);
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
    from unnest(${all.map(({ id }) => id)}::bigint[]) as channel (id)
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

/** The id of the last message that was sent up to a time: ids grow with it, so some look-ups by the key find it. */
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
