/**
 * What one may read, as spans of the log: in which channel or conversation, between which positions. Whatever lists
 * messages is confined to spans made here, so who may read what is decided in this file and nowhere else.
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
import { Received } from "./subscription-intervals.ts";

/** Someone who reads: a person or bot, or without a user whoever comes along, where public access is on. */
export interface Reader {
  state: OrganizationState;
  user: User | undefined;
}

/** The messages of one recipient with after < id < before. */
export interface Span {
  recipientId: RecipientId;
  after: number;
  before: number;
  /** Where the present subscription began: what came before it counts as read. null: not subscribed, so all does. */
  unreadAfter: number | null;
}

/** Where to look. */
export interface Scope {
  /** undefined: in all. */
  channels: readonly Channel[] | undefined;
  /** undefined: in all of the reader's own. */
  conversations: readonly ConversationId[] | undefined;
  /** Whether to look also at what the reader may read without having received it. */
  withHistory: boolean;
}

/** How much of a channel someone may read now. */
export type Reach = "all" | "received" | "nothing";

/** What spans are made from. */
export interface Reading {
  /** Without the channels of which the reader may read nothing. */
  reaches: ReadonlyMap<ChannelId, Reach>;
  received: Received;
  conversations: readonly ConversationId[];
}

export const NO_LIMIT = Number.MAX_SAFE_INTEGER;

export function reachOf({ state, user }: Reader, channel: Channel): Reach {
  if (!user) return channel.isWebPublic && !channel.isArchived ? "all" : "nothing";
  if (canReadHistory(state, user, channel)) return "all";
  return canReadChannel(state, user, channel) ? "received" : "nothing";
}

/** The reader's spans in a scope, and what they received of its channels. Reads the memory before it first awaits. */
export async function findSpans(
  reader: Reader,
  tx: Queryable,
  scope: Scope,
): Promise<{ spans: Span[]; received: Received }> {
  const reading = await findReading(reader, tx, scope);
  return { spans: spansOf(reading, scope), received: reading.received };
}

/** Reads the memory before it first awaits. */
export async function findReading(
  reader: Reader,
  tx: Queryable,
  scope: Pick<Scope, "channels" | "conversations">,
): Promise<Reading> {
  const reaches = reachesIn(reader, scope.channels);
  const [received, conversations] = await Promise.all([
    findReceived(reader, tx, scope.channels && [...reaches.keys()]),
    findConversations(reader, tx, scope.conversations),
  ]);
  return { reaches, received, conversations };
}

export function spansOf(
  { reaches, received, conversations }: Reading,
  { withHistory }: Pick<Scope, "withHistory">,
): Span[] {
  const spans: Span[] = conversations.map((recipientId) => whole(recipientId, 0));
  for (const [channelId, reach] of reaches) {
    const since = received.since(channelId);
    if (reach === "all" && withHistory) spans.push(whole(channelId, since));
    else {
      for (const { from, to } of received.intervals(channelId)) {
        spans.push({ recipientId: channelId, after: from, before: to ?? NO_LIMIT, unreadAfter: since });
      }
    }
  }
  return spans;
}

/** What the reader received of these channels, or of all. */
export async function findReceived(
  { state, user }: Reader,
  tx: Queryable,
  channelIds: readonly ChannelId[] | undefined,
): Promise<Received> {
  const archived = archivedAmong(state, channelIds);
  const isArchived = (id: ChannelId) => archived.has(id);
  if (!user || channelIds?.length === 0) return new Received([], isArchived);
  return new Received(await listIntervals(tx, state.organizationId, user.id, channelIds), isArchived);
}

/** Of a channel's messages those that the reader may read: where history is not shared, what they received. */
export async function readableOf<Placed extends { id: MessageId }>(
  reader: Reader,
  tx: Queryable,
  channel: Channel,
  messages: readonly Placed[],
): Promise<readonly Placed[]> {
  const reach = reachOf(reader, channel);
  if (reach !== "received") return reach === "all" ? messages : [];
  const received = await findReceived(reader, tx, [channel.id]);
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

function reachesIn(reader: Reader, among: readonly Channel[] | undefined): Map<ChannelId, Reach> {
  const reaches = new Map<ChannelId, Reach>();
  for (const channel of among ?? reader.state.get(channels).all()) {
    const reach = reachOf(reader, channel);
    if (reach !== "nothing") reaches.set(channel.id, reach);
  }
  return reaches;
}

async function findConversations(
  { state, user }: Reader,
  tx: Queryable,
  among: readonly ConversationId[] | undefined,
): Promise<readonly ConversationId[]> {
  if (!user || among?.length === 0) return [];
  return listConversations(tx, state.organizationId, user.id, among);
}

function whole(recipientId: RecipientId, unreadAfter: number | null): Span {
  return { recipientId, after: 0, before: NO_LIMIT, unreadAfter };
}
