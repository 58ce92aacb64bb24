import type { ChannelId, MessageId, RecipientId, UserId } from "../../../api/ids.ts";
import { channels } from "../../channels/channel.ts";
import { subscribers } from "../../channels/subscriptions/subscribers.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { type Audience, toUsers } from "../../platform/log/log-entry.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { listReceivers, listUsersWithFlags } from "../query/fetch.ts";

/** A message and its place. */
export interface PlacedMessage {
  id: MessageId;
  recipientId: RecipientId;
  /** The people of a direct message; null for a channel message. */
  userIds: readonly UserId[] | null;
}

/** Those of these people who can read the channel when the event is delivered. */
export function toReadersOf(channelId: ChannelId, userIds: readonly UserId[]): Audience {
  return { to: "channel_readers", channelId, userIds };
}

/**
 * The all-public listeners who may read this channel, except the subscribers of `besides` and these people.
 */
export function toAllPublicListenersOf(
  channelIds: readonly ChannelId[],
  besides: readonly ChannelId[],
  exceptIds: readonly UserId[],
): Audience {
  return { to: "all_public_listeners", channelIds, besides, exceptIds };
}

/**
 * The subscribers, the all-public listeners, and those of the people in `besides` who can read the channel.
 */
function toSubscribersAnd(channelId: ChannelId, besides: readonly UserId[]): Audience {
  return { to: "channel_message", channelId, ...(besides.length > 0 && { userIds: besides }) };
}

export interface MessageAudience<M extends PlacedMessage = PlacedMessage> {
  audience: Audience;
  /** The messages in question that this audience may read. */
  messages: readonly M[];
}

/**
 * The audiences of a transient event about messages, such as typing. For a direct message these are its
 * people, for a channel message the subscribers who may read it. Without shared history, only the subscribers
 * who received a message may read it, so several messages may have several audiences. All messages must be in
 * one channel or conversation.
 */
export async function audiencesOf<M extends PlacedMessage>(
  state: OrganizationState,
  tx: Queryable,
  messages: readonly M[],
  besides: readonly UserId[] = [],
): Promise<MessageAudience<M>[]> {
  const [first] = messages;
  if (!first) return [];
  if (first.userIds) return [{ audience: toUsers(first.userIds), messages }];
  const channelId = first.recipientId as ChannelId;
  if (state.get(channels).byId.get(channelId)?.isHistoryShared) {
    return [{ audience: toSubscribersAnd(channelId, besides), messages }];
  }
  return byWhatTheyReceived(state, tx, channelId, messages);
}

/**
 * The audiences of a change to messages. These are the people of `audiencesOf`, and the concerned
 * non-subscribers who can read the channel.
 */
export async function audiencesOfChange<M extends PlacedMessage>(
  state: OrganizationState,
  tx: Queryable,
  messages: readonly M[],
  actorId: UserId | undefined,
): Promise<MessageAudience<M>[]> {
  const [first] = messages;
  const isChannels = first !== undefined && first.userIds === null;
  const besides = isChannels ? await concernedBesides(state, tx, messages, actorId) : [];
  return audiencesOf(state, tx, messages, besides);
}

/**
 * The audience of something that a person adds to a message: that of `audiencesOfChange`. `flaggedIds`: the
 * people with flags on the message. undefined where only some subscribers received the message, and who did
 * must be read.
 */
export function audienceOfAddition(
  state: OrganizationState,
  { recipientId, userIds }: PlacedMessage,
  flaggedIds: readonly UserId[],
  actorId: UserId,
): Audience | undefined {
  if (userIds) return toUsers(userIds);
  const channelId = recipientId as ChannelId;
  if (!state.get(channels).byId.get(channelId)?.isHistoryShared) return undefined;
  return toSubscribersAnd(channelId, unsubscribedOf(state, channelId, new Set([...flaggedIds, actorId])));
}

/**
 * The user who makes the change, and the users with flags on the messages, such as stars. What their clients
 * show must stay correct.
 */
async function concernedBesides(
  state: OrganizationState,
  tx: Queryable,
  messages: readonly Pick<PlacedMessage, "id" | "recipientId">[],
  actorId: UserId | undefined,
): Promise<UserId[]> {
  const [first] = messages;
  if (!first) return [];
  const ids = messages.map(({ id }) => id);
  const concerned = new Set(await listUsersWithFlags(tx, state.organizationId, ids));
  if (actorId !== undefined) concerned.add(actorId);
  return unsubscribedOf(state, first.recipientId as ChannelId, concerned);
}

function unsubscribedOf(
  state: OrganizationState,
  channelId: ChannelId,
  userIds: ReadonlySet<UserId>,
): UserId[] {
  const subscribed = state.get(subscribers).of(channelId);
  return [...userIds].filter((userId) => !subscribed.has(userId));
}

async function byWhatTheyReceived<M extends PlacedMessage>(
  state: OrganizationState,
  tx: Queryable,
  channelId: ChannelId,
  messages: readonly M[],
): Promise<MessageAudience<M>[]> {
  const ids = messages.map(({ id }) => id);
  const receivers = await listReceivers(tx, state.organizationId, channelId, ids);
  const now = state.get(subscribers).of(channelId);
  const bySet = new Map<string, { userIds: UserId[]; messages: M[] }>();
  for (const { userId, messageIds } of receivers) {
    if (!now.has(userId)) continue;
    const key = messageIds.join();
    const known = bySet.get(key);
    if (known) known.userIds.push(userId);
    else {
      const received = new Set(messageIds);
      bySet.set(key, { userIds: [userId], messages: messages.filter(({ id }) => received.has(id)) });
    }
  }
  return [...bySet.values()].map(({ userIds, messages }) => ({
    audience: toReadersOf(channelId, userIds),
    messages,
  }));
}
