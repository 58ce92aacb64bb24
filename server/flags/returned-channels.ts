import { type Channel, channels } from "../channels/channel.ts";
import type { Consequence } from "../events/consequence.ts";
import { waitToKeepPlaces } from "../messages/place-lock.ts";
import { insertReadByAll } from "./store.ts";

/**
 * While a channel is archived everything in it counts as read. It stays so when the channel comes back: what had been unread
 * before would only turn up again as a surprise.
 */
export const returnedChannels: Consequence = {
  slices: [channels.name],
  async follow(tx, patches) {
    for (const { patch } of patches) {
      for (const after of (patch as { put: Channel[] }).put) {
        const before = tx.live.get(channels).byId.get(after.id);
        if (before?.isArchived && !after.isArchived) {
          await waitToKeepPlaces(tx, tx.live.organizationId);
          await insertReadByAll(tx, tx.live.organizationId, after.id);
        }
      }
    }
  },
};
