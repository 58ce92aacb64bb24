/**
 * What a reader may read, as ranges of the log: in which channel or conversation, between which positions.
 * Every listing of messages is limited to ranges made here. So this file alone decides who may read what.
 *
 * A channel message was received by those who were subscribed to the channel at its position. A direct
 * message was received by the people of its conversation. To be readable, a message must have been received
 * or belong to a history that is open to the reader. The channel must also be readable now: a user who left a
 * private channel can read nothing in it, not even messages that they received. In an archived channel
 * nothing is unread.
 */
import type { ChannelId, ConversationId, MessageId, RecipientId } from "../../../../api/ids.ts";
import { type Role, roles } from "../../../../api/roles.ts";
import { canReadChannel, canReadHistory, isSeenByAll } from "../../../channels/access.ts";
import { type Channel, channels } from "../../../channels/channel.ts";
import type { User } from "../../../people/user.ts";
import type { Queryable } from "../../../platform/db/database.ts";
import { personalReader, type ReadPersonal } from "../../../platform/db/personal-rows.ts";
import { derived } from "../../../platform/log/derived.ts";
import type { OrganizationState } from "../../../platform/log/organization-state.ts";
import { listConversations, listIntervals, ownConversations, ownIntervals } from "../fetch.ts";
import { SubscriptionIntervals } from "./subscription-intervals.ts";

/** A user or bot who reads. Without a user: an anonymous visitor, where public access is on. */
export interface Reader {
  state: OrganizationState;
  user: User | undefined;
}

/** The messages of one recipient with after < id < before. */
export interface ReadableRange {
  recipientId: RecipientId;
  after: number;
  before: number;
  /**
   * Where the current subscription began: earlier messages count as read. null: not subscribed, so all
   * messages count as read.
   */
  unreadAfter: number | null;
}

/** Which channels and conversations to include. */
export interface RangeFilter {
  /** undefined: all channels. */
  channels: readonly Channel[] | undefined;
  /** undefined: all of the reader's conversations. */
  conversations: readonly ConversationId[] | undefined;
  /** Whether to include messages that the reader may read but did not receive. */
  withHistory: boolean;
}

/** How much of a channel a reader may read now. */
export type HistoryAccess = "all" | "received" | "nothing";

/** The data that ranges are made from. */
export interface ReadableScope {
  /** Channels in which the reader may read nothing are left out. */
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

/**
 * The reader's ranges in a scope, and the intervals in which they received the channels' messages. Reads
 * memory before the first `await`.
 */
export async function findReadableRanges(
  reader: Reader,
  tx: Queryable,
  scope: RangeFilter,
): Promise<{ ranges: ReadableRange[]; received: SubscriptionIntervals }> {
  const readable = await findReadableScope(reader, tx, scope);
  return { ranges: readableRangesOf(readable, scope), received: readable.received };
}

/** Reads memory before the first `await`. */
export async function findReadableScope(
  reader: Reader,
  tx: Queryable,
  scope: Pick<RangeFilter, "channels" | "conversations">,
): Promise<ReadableScope> {
  const accessByChannel = accessIn(reader, scope.channels);
  const own = personalReader(tx, reader.state.organizationId, reader.user?.id ?? null);
  const [received, conversations] = await Promise.all([
    scope.channels
      ? findSubscriptionIntervals(reader, tx, [...accessByChannel.keys()])
      : allIntervals(reader, own),
    findConversations(reader, tx, scope.conversations, own),
  ]);
  return { accessByChannel, received, conversations };
}

/** Everything that the reader may read. Reads memory before the first `await`. */
export async function findWholeScope(reader: Reader, own: ReadPersonal): Promise<ReadableScope> {
  const accessByChannel = accessIn(reader, undefined);
  const [received, conversations] = await Promise.all([
    allIntervals(reader, own),
    reader.user ? own(ownConversations) : [],
  ]);
  return { accessByChannel, received, conversations: conversations.map(({ id }) => id) };
}

async function allIntervals({ state, user }: Reader, own: ReadPersonal): Promise<SubscriptionIntervals> {
  const archived = allArchived(state);
  return new SubscriptionIntervals(user ? await own(ownIntervals) : [], (id) => archived.has(id));
}

export function readableRangesOf(
  { accessByChannel, received, conversations }: ReadableScope,
  { withHistory }: Pick<RangeFilter, "withHistory">,
): ReadableRange[] {
  const ranges: ReadableRange[] = conversations.map((recipientId) => whole(recipientId, 0));
  // Without history, only channels in which something was received have ranges.
  for (const channelId of withHistory ? accessByChannel.keys() : received.channelIds()) {
    const access = accessByChannel.get(channelId);
    if (access) addRanges(ranges, channelId, received, access === "all" && withHistory);
  }
  return ranges;
}

/** The ranges of `readableRangesOf` with history in which messages may be unread. */
export function unreadRangesOf({ accessByChannel, received, conversations }: ReadableScope): ReadableRange[] {
  const ranges: ReadableRange[] = conversations.map((recipientId) => whole(recipientId, 0));
  for (const channelId of received.channelIds()) {
    const access = accessByChannel.get(channelId);
    if (access && received.since(channelId) !== null)
      addRanges(ranges, channelId, received, access === "all");
  }
  return ranges;
}

function addRanges(
  ranges: ReadableRange[],
  channelId: ChannelId,
  received: SubscriptionIntervals,
  isWhole: boolean,
): void {
  const since = received.since(channelId);
  if (isWhole) ranges.push(whole(channelId, since));
  else {
    for (const { from, to } of received.intervals(channelId)) {
      ranges.push({ recipientId: channelId, after: from, before: to ?? NO_LIMIT, unreadAfter: since });
    }
  }
}

/** When the reader was subscribed to these channels. */
export async function findSubscriptionIntervals(
  { state, user }: Reader,
  tx: Queryable,
  channelIds: readonly ChannelId[],
): Promise<SubscriptionIntervals> {
  const archived = archivedAmong(state, channelIds);
  const isArchived = (id: ChannelId) => archived.has(id);
  if (!user || channelIds.length === 0) return new SubscriptionIntervals([], isArchived);
  return new SubscriptionIntervals(
    await listIntervals(tx, state.organizationId, user.id, channelIds),
    isArchived,
  );
}

/**
 * Returns those of a channel's messages that the reader may read. Without shared history, these are the
 * messages that the reader received.
 */
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

/** The archived ones of these channels at this moment. Memory is read before anything is awaited. */
function archivedAmong(state: OrganizationState, channelIds: readonly ChannelId[]): ReadonlySet<ChannelId> {
  const { byId } = state.get(channels);
  const archived = new Set<ChannelId>();
  for (const id of channelIds) if (byId.get(id)?.isArchived) archived.add(id);
  return archived;
}

const allArchived = derived(
  (state) => state.get(channels).version,
  (state): ReadonlySet<ChannelId> =>
    new Set([...state.get(channels).all()].filter(({ isArchived }) => isArchived).map(({ id }) => id)),
);

/** What is the same for all readers of a kind. */
interface CommonAccess {
  byChannel: ReadonlyMap<ChannelId, HistoryAccess>;
  /** Channels that are decided for each reader. */
  undecided: readonly Channel[];
}

const accessOfMembers = commonAccess(roles.member);
const accessOfGuests = commonAccess(roles.guest);

function commonAccess(role: Role): (state: OrganizationState) => CommonAccess {
  return derived(
    (state) => state.get(channels).version,
    (state) => {
      const all = [...state.get(channels).all()];
      const open = all.filter((channel) => isSeenByAll(channel, { role }));
      return {
        byChannel: new Map(open.map(({ id, isHistoryShared }) => [id, isHistoryShared ? "all" : "received"])),
        undecided: all.filter((channel) => !isSeenByAll(channel, { role })),
      };
    },
  );
}

function accessIn(reader: Reader, among: readonly Channel[] | undefined): Map<ChannelId, HistoryAccess> {
  const { state, user } = reader;
  const common =
    among || !user ? undefined : (user.role < roles.guest ? accessOfMembers : accessOfGuests)(state);
  const accessByChannel = new Map(common?.byChannel);
  for (const channel of among ?? common?.undecided ?? state.get(channels).all()) {
    const access = historyAccessOf(reader, channel);
    if (access !== "nothing") accessByChannel.set(channel.id, access);
  }
  return accessByChannel;
}

async function findConversations(
  { state, user }: Reader,
  tx: Queryable,
  among: readonly ConversationId[] | undefined,
  own: ReadPersonal,
): Promise<readonly ConversationId[]> {
  if (!user || among?.length === 0) return [];
  const rows = among
    ? await listConversations(tx, state.organizationId, user.id, among)
    : await own(ownConversations);
  return rows.map(({ id }) => id);
}

function whole(recipientId: RecipientId, unreadAfter: number | null): ReadableRange {
  return { recipientId, after: 0, before: NO_LIMIT, unreadAfter };
}
