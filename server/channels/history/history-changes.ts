/**
 * Whether a channel is recently active, and its weekly traffic, change as time passes. No request causes
 * that, so a daily job announces what differs from the day before.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { Type } from "typebox";
import type { OrganizationId } from "../../../api/ids.ts";
import { enqueue } from "../../platform/jobs/enqueue.ts";
import { defineJob, definePeriodicJob } from "../../platform/jobs/job.ts";
import { runContentChange } from "../../platform/log/change.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { patchOf } from "../../platform/log/projection.ts";
import type { Services } from "../../services.ts";
import { type Channel, channels } from "../channel.ts";
import { appendChannelUpdated, type PropertyChange } from "../events.ts";
import { toThoseWhoSee } from "../visibility/audiences.ts";
import { channelHistories, historyAt, TRAFFIC_DAYS } from "./history.ts";
import { listDays } from "./message-store.ts";

const DAY_MS = 24 * 3600 * 1000;
/** Each goes to everyone who may know of the channel. Other requests can run between the batches. */
const CHANNELS_AT_ONCE = 10;
const PAUSE_MS = 20;

export const findHistoryChanges = definePeriodicJob({
  name: "find_channel_history_changes",
  schedule: "17 3 * * *",
  async run({ database, queues }: Pick<Services, "database" | "queues">, { dueAt }) {
    await database.transaction(
      async (tx) => {
        for (const organizationId of await queues.listListenedOrganizations(tx)) {
          await enqueue(tx, announceHistoryChanges, { organizationId, upTo: dueAt.getTime() });
        }
      },
      { lane: "background" },
    );
  },
});

export const announceHistoryChanges = defineJob({
  name: "announce_channel_history_changes",
  payload: Type.Object({ organizationId: Type.Integer(), upTo: Type.Integer() }),
  async run({ organizations }: Pick<Services, "organizations">, { organizationId, upTo }, { signal }) {
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
      // From then on the nodes' memory holds these values, until they count again.
      const patch = patchOf(channelHistories, { traffic: [[channel.id, sent]] });
      for (const property of properties) {
        appendChannelUpdated(tx, channel, property, toThoseWhoSee(channel.id), patch);
      }
    }
  });
}

async function findChanges(state: OrganizationState, upTo: number): Promise<HistoryChange[]> {
  const all = [...state.get(channels).all()].filter(({ isArchived }) => !isArchived);
  const rows = await listDays(state.database, state.organizationId, {
    channelIds: all.map(({ id }) => id),
    upTo,
    trafficDays: TRAFFIC_DAYS,
  });
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
