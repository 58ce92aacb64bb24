import type { ChannelId, MessageId, RecipientId, UserId } from "../../api/ids.ts";
import { channels } from "../channels/channel.ts";
import { subscribers } from "../channels/subscriptions/subscribers.ts";
import type { Queryable } from "../db/database.ts";
import { type Audience, toUsers } from "../events/entry.ts";
import type { Live } from "../events/live.ts";
import { listReceivers } from "./fetch.ts";

/** A message and where it is. */
export interface PlacedMessage {
  id: MessageId;
  recipientId: RecipientId;
  /** The people of a direct message; null for a channel's. */
  userIds: readonly UserId[] | null;
}

/** Of these people those who can read the channel when the event comes to them. */
export function toReadersOf(channelId: ChannelId, userIds: readonly UserId[]): Audience {
  return { to: "channel-readers", channelId, userIds };
}

/** Those who asked for all public channels and may overhear these, but for the subscribers of `besides`. */
export function toOnlookersOf(channelIds: readonly ChannelId[], besides: readonly ChannelId[]): Audience {
  return { to: "onlookers", channelIds, besides };
}

export interface MessageAudience {
  audience: Audience;
  /** What this audience may read of the messages that were asked about. */
  messages: readonly PlacedMessage[];
}

/**
 * Who hears of something that happens to messages: the people of a direct message, and of a channel's the subscribers who
 * may read it. Where history is not shared, these are the subscribers who received it, and several messages may have
 * several audiences. The messages are of one channel or conversation.
 */
export async function audiencesOf(
  live: Live,
  tx: Queryable,
  messages: readonly PlacedMessage[],
): Promise<MessageAudience[]> {
  const [first] = messages;
  if (!first) return [];
  if (first.userIds) return [{ audience: toUsers(first.userIds), messages }];
  const channelId = first.recipientId as ChannelId;
  if (live.get(channels).byId.get(channelId)?.isHistoryShared) {
    return [{ audience: { to: "channel-message", channelId }, messages }];
  }
  return byWhatTheyReceived(live, tx, channelId, messages);
}

async function byWhatTheyReceived(
  live: Live,
  tx: Queryable,
  channelId: ChannelId,
  messages: readonly PlacedMessage[],
): Promise<MessageAudience[]> {
  const ids = messages.map(({ id }) => id);
  const receivers = await listReceivers(tx, live.organizationId, channelId, ids);
  const now = live.get(subscribers).of(channelId);
  const bySet = new Map<string, { userIds: UserId[]; messages: PlacedMessage[] }>();
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
