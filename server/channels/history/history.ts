/**
 * The fields of a channel object that depend on the channel's messages. Messages are in a layer above
 * channels, so this is read from their rows and kept in memory. The first message of a channel stays the
 * first until it is deleted or moved. A channel with a recent message need not be read again for months, and
 * one without a message not before the log has one (`noteMessage`).
 */

import type { ChannelId, MessageId, Position } from "../../../api/ids.ts";
import type { Queryable } from "../../platform/db/database.ts";
import type { Change } from "../../platform/log/change.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import type { Projection } from "../../platform/log/projection.ts";
import type { Channel } from "../channel.ts";
import { listMessageEnds, listTraffic, type MessageEnds, type ReadEnds } from "./message-store.ts";

const DAY_MS = 24 * 3600 * 1000;
const RECENT_MS = 180 * DAY_MS;
/**
 * Traffic is the mean of this many days, or of the channel's age. A channel younger than a week has none
 * yet.
 */
export const TRAFFIC_DAYS = 28;
const NEW_CHANNEL_DAYS = 7;
const TRAFFIC_KEPT_MS = 15 * 60 * 1000;
/** Activity and traffic also follow from the age. So long nothing is noticed that only time has changed. */
const LOOKED_AGAIN_MS = 10 * 1000;
/** How long a channel that was quiet for months may be active again before that is noticed. */
const QUIET_KEPT_MS = 60 * 1000;

export interface History {
  firstMessageId: MessageId | null;
  isRecentlyActive: boolean;
  /** Messages a week; null while the channel is too new to tell. */
  weeklyTraffic: number | null;
}

interface Ends extends MessageEnds {
  /** When they were read, in UNIX milliseconds. */
  readAt: number;
}

interface Kept {
  /** Grows with every change of what is kept. */
  version: number;
  ends: Map<ChannelId, Ends>;
  /** The newest message of each channel of which none was known when it was applied. */
  begunAt: Map<ChannelId, Position>;
  traffic: Map<ChannelId, number>;
  trafficReadAt: number;
  isReadingTraffic: boolean;
}

/** The channels whose first message changed, or how many messages channels had lately. */
export type ChannelHistoriesPatch =
  | readonly ChannelId[]
  | { traffic: readonly (readonly [ChannelId, number])[] };

export const channelHistories: Projection<Kept, ChannelHistoriesPatch> = {
  name: "channel_histories",
  load: async () => ({
    version: 0,
    ends: new Map(),
    begunAt: new Map(),
    traffic: new Map(),
    trafficReadAt: 0,
    isReadingTraffic: false,
  }),
  apply(value, patch) {
    value.version++;
    if ("traffic" in patch) for (const [id, sent] of patch.traffic) value.traffic.set(id, sent);
    else for (const id of patch) value.ends.delete(id);
  },
};

export const noHistory: History = { firstMessageId: null, isRecentlyActive: true, weeklyTraffic: null };

/**
 * Reads what is not known yet of these channels, in one or two statements. Nearly always there is nothing
 * to read.
 */
export async function readHistories(
  state: OrganizationState,
  tx: Queryable,
  channels: readonly Channel[],
): Promise<(channel: Channel) => History> {
  return (await readVersion(state, tx, channels)).historyOf;
}

/** Histories as of one moment. */
export interface Histories {
  /** The version of what is kept. undefined: some of them are not kept. */
  version: number | undefined;
  historyOf(channel: Channel): History;
}

/** Lists of which everything was known, and for how long that holds: see `allHistories`. */
const settled = new WeakMap<readonly Channel[], { version: number; until: number }>();

/**
 * The same for a list of channels that is asked for again and again, and never changes. It is not looked
 * through again while what is kept stays the same.
 */
export async function allHistories(
  state: OrganizationState,
  tx: Queryable,
  channels: readonly Channel[],
): Promise<Histories> {
  const known = state.get(channelHistories);
  const now = Date.now();
  const seen = settled.get(channels);
  if (seen?.version === known.version && now < seen.until) {
    const historyAtOnce = (channel: Channel) => historyOf(channel, known.ends.get(channel.id), known, now);
    return { version: known.version, historyOf: historyAtOnce };
  }
  const found = await readVersion(state, tx, channels);
  const { version } = found;
  if (version !== undefined) settled.set(channels, { version, until: now + LOOKED_AGAIN_MS });
  return found;
}

async function readVersion(
  state: OrganizationState,
  tx: Queryable,
  channels: readonly Channel[],
): Promise<Histories> {
  const known = state.get(channelHistories);
  const now = Date.now();
  const ends = new Map(channels.map(({ id }) => [id, known.ends.get(id)]));
  const unknown = channels.filter(({ id }) => isUnsettled(ends.get(id), now)).map(({ id }) => id);
  let { version } = known;
  let isKept = true;
  if (unknown.length > 0) {
    for (const row of await listMessageEnds(tx, state.organizationId, unknown)) {
      const { id, firstMessageId, lastSentAt } = row;
      const read = { firstMessageId, lastSentAt, readAt: Date.now() };
      ends.set(id, read);
      isKept &&= isCurrent(state, known, row);
      if (!isCurrent(state, known, row)) continue;
      known.ends.set(id, read);
      known.version++;
      version++;
    }
  }
  if (channels.some((channel) => ageInDays(channel, now) >= NEW_CHANNEL_DAYS))
    await refreshTraffic(state, known, now);
  return {
    // Something else has changed it meanwhile, such as a first message.
    version: isKept && version === known.version ? version : undefined,
    historyOf: (channel) => historyOf(channel, ends.get(channel.id), known, now),
  };
}

/**
 * Whether memory has applied nothing that changes these ends and that the snapshot they were read in lacks.
 * Later entries change what is kept, while an earlier one found nothing here to change.
 */
function isCurrent(state: OrganizationState, known: Kept, row: ReadEnds): boolean {
  if (state.stateHead > row.stateHead) return false;
  return row.firstMessageId !== null || (known.begunAt.get(row.id) ?? 0) <= row.head;
}

/**
 * A message is in the channel from now on. To be called for each that is applied: a channel without one is
 * not read again before that.
 */
export function noteMessage(state: OrganizationState, channelId: ChannelId, position: Position): void {
  const kept = state.get(channelHistories);
  const { ends, begunAt } = kept;
  const known = ends.get(channelId);
  if (known !== undefined && known.firstMessageId !== null) {
    begunAt.delete(channelId);
    return;
  }
  ends.delete(channelId);
  begunAt.set(channelId, position);
  kept.version++;
}

/**
 * The same for what a state change announces. If the first message of a channel is sent, moved or deleted
 * before the commit, the change runs again: people who are being subscribed get no event for it.
 */
export async function readHistoriesToAnnounce(
  tx: Change,
  channels: readonly Channel[],
): Promise<(channel: Channel) => History> {
  const { state } = tx;
  const firsts = new Map<ChannelId, MessageId>();
  tx.checkIfMemoryChanges(async (inner) => {
    const rows = await listMessageEnds(inner, state.organizationId, [...firsts.keys()]);
    return rows.every(({ id, firstMessageId }) => firstMessageId === firsts.get(id));
  });
  const historyOf = await readHistories(state, tx, channels);
  const empty: ChannelId[] = [];
  for (const channel of channels) {
    const { firstMessageId } = historyOf(channel);
    if (firstMessageId === null) empty.push(channel.id);
    else firsts.set(channel.id, firstMessageId);
  }
  if (empty.length > 0) {
    tx.checkAtCommit(async (inner) => {
      const rows = await listMessageEnds(inner, state.organizationId, empty);
      const begun = rows.filter(({ firstMessageId }) => firstMessageId !== null);
      // This node may not have applied that message yet, and must not take the channel for empty again.
      const kept = state.get(channelHistories);
      for (const { id } of begun) kept.ends.delete(id);
      kept.version++;
      return begun.length === 0;
    });
  }
  return historyOf;
}

function historyOf(channel: Channel, ends: Ends | undefined, known: Kept, now: number): History {
  const past = { lastSentAt: ends?.lastSentAt ?? null, sent: known.traffic.get(channel.id) ?? 0 };
  return { firstMessageId: ends?.firstMessageId ?? null, ...historyAt(channel, past, now) };
}

/**
 * The activity and traffic at a time, from the newest message and the number of messages in the weeks
 * before.
 */
export function historyAt(
  channel: Channel,
  { lastSentAt, sent }: { lastSentAt: number | null; sent: number },
  now: number,
): Pick<History, "isRecentlyActive" | "weeklyTraffic"> {
  const newest = Math.max(lastSentAt ?? 0, channel.createdAt * 1000);
  const age = ageInDays(channel, now);
  return {
    isRecentlyActive: now - newest < RECENT_MS,
    weeklyTraffic: age < NEW_CHANNEL_DAYS ? null : toTwoDigits((sent * 7) / Math.min(age, TRAFFIC_DAYS)),
  };
}

function isUnsettled(ends: Ends | undefined, now: number): boolean {
  if (!ends) return true;
  if (ends.lastSentAt === null) return false;
  return now - ends.lastSentAt >= RECENT_MS && now - ends.readAt >= QUIET_KEPT_MS;
}

/**
 * Requests wait for the first read. Later reads run in the background, and requests get the former
 * values.
 */
async function refreshTraffic(state: OrganizationState, known: Kept, now: number): Promise<void> {
  if (known.isReadingTraffic || now - known.trafficReadAt < TRAFFIC_KEPT_MS) return;
  known.isReadingTraffic = true;
  const reading = listTraffic(state.database, state.organizationId, TRAFFIC_DAYS)
    .then((rows) => {
      known.traffic = new Map(rows.map(({ id, count }) => [id, count]));
      known.trafficReadAt = now;
      known.version++;
    })
    .finally(() => {
      known.isReadingTraffic = false;
    });
  if (known.trafficReadAt === 0) await reading;
  else reading.catch(state.parts.report);
}

function ageInDays(channel: Channel, now: number): number {
  return (now - channel.createdAt * 1000) / DAY_MS;
}

/** Two significant digits are enough, and the number does not change with every message. */
function toTwoDigits(count: number): number {
  return count < 100 ? Math.round(count) : Number(count.toPrecision(2));
}
