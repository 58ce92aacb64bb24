/** How much is unread in channels, without muted topics. */
import { state } from "../state/state.ts";

export interface UnreadCount {
  count: number;
  hasMention: boolean;
}

export function countIn(channelIds: readonly number[]): UnreadCount {
  const { unreads, userTopics, subscriptions } = state.model;
  const wanted = new Set(channelIds);
  let count = 0;
  let hasMention = false;
  for (const { place, ids } of unreads.buckets.values()) {
    if (!("channelId" in place) || !wanted.has(place.channelId)) continue;
    if (userTopics.isMuted(place.channelId, place.topic, subscriptions.isMuted(place.channelId))) continue;
    count += ids.size;
    hasMention ||= [...ids].some((id) => unreads.mentions.has(id));
  }
  return { count, hasMention };
}
