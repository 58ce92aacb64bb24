/**
 * What one may read, as ranges of the log: in which channel or conversation, between which positions. Whatever lists
 * messages is confined to ranges made here, so who may read what is decided in this file and nowhere else.
 *
 * A message was received by those who were subscribed to its channel at its position, and by the people of its
 * conversation. To be read it must have been received or belong to a history that is open to the reader, and the channel
 * must be readable now: who has left a private channel reads nothing of it, not even what they had received. In an
 * archived channel nothing is unread.
 */
import type { ChannelId, ConversationId, MessageId, RecipientId } from "../../../../../api/ids.ts";
import type { Queryable } from "../../../../platform/db/database.ts";
import type { OrganizationState } from "../../../../platform/log/organization-state.ts";
import { canReadChannel, canReadHistory } from "../../../channels/access.ts";
import { type Channel, channels } from "../../../channels/channel.ts";
import type { User } from "../../../users/user.ts";
import { listConversations, listIntervals } from "../fetch.ts";
import { SubscriptionIntervals } from "./subscription-intervals.ts";

/** Someone who reads: a person or bot, or without a user whoever comes along, where public access is on. */
export interface Reader {
  state: OrganizationState;
  user: User | undefined;
}

/** The messages of one recipient with after < id < before. */
export interface ReadableRange {
  recipientId: RecipientId;
  after: number;
  before: number;
  /** Where the present subscription began: what came before it counts as read. null: not subscribed, so all does. */
  unreadAfter: number | null;
}

/** Where to look. */
export interface RangeFilter {
  /** undefined: in all. */
  channels: readonly Channel[] | undefined;
  /** undefined: in all of the reader's own. */
  conversations: readonly ConversationId[] | undefined;
  /** Whether to look also at what the reader may read without having received it. */
  withHistory: boolean;
}

/** How much of a channel someone may read now. */
export type HistoryAccess = "all" | "received" | "nothing";

/** What ranges are made from. */
export interface ReadableScope {
  /** Without the channels of which the reader may read nothing. */
  accessByChannel: ReadonlyMap<ChannelId, HistoryAccess>;
  received: SubscriptionIntervals;
  conversations: readonly ConversationId[];
}

export const NO_LIMIT = Number.MAX_SAFE_INTEGER;

export function historyAccessOf({ state, user }: Reader, channel: Channel): HistoryAccess {
  if (!user) return channel.isWebPublic && !channel.isArchived ? "all" : "nothing";
  if (canReadHistory(state, user, channel)) return "all";
  return canReadChannel(state, user, channel) ? "received" : "nothing";
}

/** The reader's ranges in a scope, and what they received of its channels. Reads the memory before it first awaits. */
export async function findReadableRanges(
  reader: Reader,
  tx: Queryable,
  scope: RangeFilter,
): Promise<{ ranges: ReadableRange[]; received: SubscriptionIntervals }> {
  const readable = await findReadableScope(reader, tx, scope);
  return { ranges: readableRangesOf(readable, scope), received: readable.received };
}

/** Reads the memory before it first awaits. */
export async function findReadableScope(
  reader: Reader,
  tx: Queryable,
  scope: Pick<RangeFilter, "channels" | "conversations">,
): Promise<ReadableScope> {
  const accessByChannel = accessIn(reader, scope.channels);
  const [received, conversations] = await Promise.all([
    findSubscriptionIntervals(reader, tx, scope.channels && [...accessByChannel.keys()]),
    findConversations(reader, tx, scope.conversations),
  ]);
  return { accessByChannel, received, conversations };
}

export function readableRangesOf(
  { accessByChannel, received, conversations }: ReadableScope,
  { withHistory }: Pick<RangeFilter, "withHistory">,
): ReadableRange[] {
  const ranges: ReadableRange[] = conversations.map((recipientId) => whole(recipientId, 0));
  for (const [channelId, access] of accessByChannel) {
    const since = received.since(channelId);
    if (access === "all" && withHistory) ranges.push(whole(channelId, since));
    else {
      for (const { from, to } of received.intervals(channelId)) {
        ranges.push({ recipientId: channelId, after: from, before: to ?? NO_LIMIT, unreadAfter: since });
      }
    }
  }
  return ranges;
}

/** What the reader received of these channels, or of all. */
export async function findSubscriptionIntervals(
  { state, user }: Reader,
  tx: Queryable,
  channelIds: readonly ChannelId[] | undefined,
): Promise<SubscriptionIntervals> {
  const archived = archivedAmong(state, channelIds);
  const isArchived = (id: ChannelId) => archived.has(id);
  if (!user || channelIds?.length === 0) return new SubscriptionIntervals([], isArchived);
  return new SubscriptionIntervals(
    await listIntervals(tx, state.organizationId, user.id, channelIds),
    isArchived,
  );
}

/** Of a channel's messages those that the reader may read: where history is not shared, what they received. */
export async function readableOf<Placed extends { id: MessageId }>(
  reader: Reader,
  tx: Queryable,
  channel: Channel,
  messages: readonly Placed[],
): Promise<readonly Placed[]> {
  const access = historyAccessOf(reader, channel);
  if (access !== "received") return access === "all" ? messages : [];
  const received = await findSubscriptionIntervals(reader, tx, [channel.id]);
  return messages.filter(({ id }) => received.has(channel.id, id));
}

/** As of now, before anything is awaited. */
function archivedAmong(
  state: OrganizationState,
  channelIds: readonly ChannelId[] | undefined,
): ReadonlySet<ChannelId> {
  const { byId } = state.get(channels);
  const archived = new Set<ChannelId>();
  for (const id of channelIds ?? byId.keys()) if (byId.get(id)?.isArchived) archived.add(id);
  return archived;
}

function accessIn(reader: Reader, among: readonly Channel[] | undefined): Map<ChannelId, HistoryAccess> {
  const accessByChannel = new Map<ChannelId, HistoryAccess>();
  for (const channel of among ?? reader.state.get(channels).all()) {
    const access = historyAccessOf(reader, channel);
    if (access !== "nothing") accessByChannel.set(channel.id, access);
  }
  return accessByChannel;
}

async function findConversations(
  { state, user }: Reader,
  tx: Queryable,
  among: readonly ConversationId[] | undefined,
): Promise<readonly ConversationId[]> {
  if (!user || among?.length === 0) return [];
  return listConversations(tx, state.organizationId, user.id, among);
}

function whole(recipientId: RecipientId, unreadAfter: number | null): ReadableRange {
  return { recipientId, after: 0, before: NO_LIMIT, unreadAfter };
}
