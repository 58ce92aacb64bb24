/**
 * The events for clients without `archived_channels` when a channel is archived or unarchived: for them
 * an archived channel does not exist. Their users stay subscribed, so the subscriptions come back with
 * the channel.
 */
import { isDeepStrictEqual } from "node:util";
import type { Queryable } from "../../platform/db/database.ts";
import type { Change } from "../../platform/log/change.ts";
import type { Channel } from "../channel.ts";
import { appendChannelsCreated, appendChannelsDeleted, appendPeersAdded } from "../events.ts";
import { readHistoriesToAnnounce } from "../history/history.ts";
import { presentChannel, presentPreferences } from "../present.ts";
import { listPreferences } from "../store.ts";
import { appendSubscriptionsAdded } from "../subscriptions/event-serializer.ts";
import { subscriberList } from "../subscriptions/subscriber-lists.ts";
import { subscribers } from "../subscriptions/subscribers.ts";
import { toPeers, toThesePeople, toThoseWhoSee } from "../visibility/audiences.ts";

export function announceArchived(tx: Change, channel: Channel): void {
  appendChannelsDeleted(tx, [channel.id], toThoseWhoSee(channel.id, "without-archived"));
}

/**
 * The channel first comes without subscribers, then all subscribers at once. Subscribers get the whole
 * subscription.
 */
export async function announceReturned(tx: Change, channel: Channel): Promise<void> {
  const { state } = tx;
  const historyOf = await readHistoriesToAnnounce(tx, [channel]);
  const subscriberIds = [...state.get(subscribers).of(channel.id)];
  const activeIds = subscriberList(state, channel.id).ids;
  const present = (subscriberCount: number) =>
    presentChannel(state, channel, { history: historyOf(channel), subscriberCount });
  appendChannelsCreated(tx, [present(0)], toThoseWhoSee(channel.id, "without-archived"));
  if (subscriberIds.length === 0) return;
  const read = (tx: Queryable) => listPreferences(tx, state.organizationId, [channel.id], subscriberIds);
  const preferences = await read(tx);
  // People may change their settings meanwhile, and these clients get nothing of it.
  tx.checkAtCommit(async (inner) => isDeepStrictEqual(await read(inner), preferences));
  const personal = preferences.map((row) => ({
    userId: row.userId,
    channelId: row.channelId,
    fields: presentPreferences(row.channelId, row),
  }));
  const toSubscribers = toThesePeople([channel.id], subscriberIds, "without-archived");
  appendSubscriptionsAdded(tx, [present(activeIds.length)], personal, toSubscribers);
  appendPeersAdded(tx, [channel.id], activeIds, toPeers([channel.id], "without-archived"));
}
