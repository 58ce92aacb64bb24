/**
 * What clients that do not know of archived channels are told when one comes or goes: to them an archived channel does not
 * exist. Their users' subscriptions are there all the time, so they come back with the channel.
 */
import type { Change } from "../../../platform/log/change.ts";
import type { Channel } from "../channel.ts";
import { readHistories } from "../history/history.ts";
import { noPreferences, presentChannel, presentPreferences } from "../present.ts";
import { listPreferences } from "../store.ts";
import type { SubscriptionAdded } from "../subscriptions/event-serializer.ts";
import { subscriberList } from "../subscriptions/subscriber-lists.ts";
import { subscribers } from "../subscriptions/subscribers.ts";
import { toPeers, toThesePeople, toThoseWhoSee } from "../visibility/audiences.ts";

export function announceArchived(tx: Change, channel: Channel): void {
  const payload = {
    type: "stream",
    op: "delete",
    streams: [{ stream_id: channel.id }],
    stream_ids: [channel.id],
  };
  tx.appendRaw(payload, toThoseWhoSee(channel.id, "without-archived"));
}

/** The channel comes as one without subscribers, who then come all at once; those who are among them get the whole. */
export async function announceReturned(tx: Change, channel: Channel): Promise<void> {
  const { state } = tx;
  const historyOf = await readHistories(state, tx, [channel]);
  const subscriberIds = [...state.get(subscribers).of(channel.id)];
  const activeIds = subscriberList(state, channel.id).ids;
  const present = (subscriberCount: number) =>
    presentChannel(state, channel, { history: historyOf(channel), subscriberCount });
  tx.appendRaw(
    { type: "stream", op: "create", streams: [present(0)] },
    toThoseWhoSee(channel.id, "without-archived"),
  );
  if (subscriberIds.length === 0) return;
  const preferences = await listPreferences(tx, state.organizationId, [channel.id], subscriberIds);
  const payload: SubscriptionAdded = {
    type: "subscription",
    op: "add",
    subscriptions: [{ ...present(activeIds.length), ...presentPreferences(channel.id, noPreferences) }],
    personal: preferences.map((row) => ({
      userId: row.userId,
      channelId: row.channelId,
      fields: presentPreferences(row.channelId, row),
    })),
  };
  tx.appendRaw(payload, toThesePeople([channel.id], subscriberIds, "without-archived"));
  tx.appendRaw(
    { type: "subscription", op: "peer_add", stream_ids: [channel.id], user_ids: [...activeIds] },
    toPeers([channel.id], "without-archived"),
  );
}
