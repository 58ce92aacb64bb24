import { channels } from "../../channels/channel.ts";
import { renewSubscriptions } from "../../channels/subscriptions/subscribe.ts";
import { subscribers } from "../../channels/subscriptions/subscribers.ts";
import { type BeforeCommitHook, patchesOf } from "../../platform/log/before-commit-hook.ts";
import { forgetMarkedUnread } from "./ranges.ts";
import { lockReadState } from "./read-state-lock.ts";

/**
 * While a channel is archived, everything in it counts as read. It stays read when the channel is
 * unarchived: old messages that become unread again would surprise people. Read receipts still know that
 * nobody has read them.
 */
export const returnedChannels: BeforeCommitHook = {
  projections: [channels.name],
  async run(tx, patches) {
    const changed = patchesOf(patches, channels).flatMap(({ put }) => put);
    for (const after of changed) {
      const before = tx.state.get(channels).byId.get(after.id);
      if (before?.isArchived && !after.isArchived) {
        await lockReadState(tx, tx.state.organizationId);
        await forgetMarkedUnread(tx, after.id, [...tx.state.get(subscribers).of(after.id)]);
        await renewSubscriptions(tx, after.id);
      }
    }
  },
};
