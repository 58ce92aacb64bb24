import type { BeforeCommitHook } from "../../platform/log/before-commit-hook.ts";
import { type Channel, channels } from "../channels/channel.ts";
import { renewSubscriptions } from "../channels/subscriptions/subscribe.ts";
import { subscribers } from "../channels/subscriptions/subscribers.ts";
import { lockReadState } from "../messages/read-state/read-state-lock.ts";
import { deleteMarkedUnread } from "./store.ts";

/**
 * While a channel is archived everything in it counts as read. It stays so when the channel comes back: what had been unread
 * before would only turn up again as a surprise. That nobody has read it stays known all the same.
 */
export const returnedChannels: BeforeCommitHook = {
  projections: [channels.name],
  async run(tx, patches) {
    for (const { patch } of patches) {
      for (const after of (patch as { put: Channel[] }).put) {
        const before = tx.state.get(channels).byId.get(after.id);
        if (before?.isArchived && !after.isArchived) {
          await lockReadState(tx, tx.state.organizationId);
          const userIds = [...tx.state.get(subscribers).of(after.id)];
          await deleteMarkedUnread(tx, tx.state.organizationId, after.id, userIds);
          await renewSubscriptions(tx, after.id);
        }
      }
    }
  },
};
