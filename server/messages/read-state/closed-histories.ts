import { channels } from "../../channels/channel.ts";
import { subscribers } from "../../channels/subscriptions/subscribers.ts";
import { type BeforeCommitHook, patchesOf } from "../../platform/log/before-commit-hook.ts";
import { announceRead } from "./events.ts";
import { announcedLimit } from "./left-channels.ts";
import { closeReading } from "./ranges.ts";
import { lockReadState } from "./read-state-lock.ts";

/**
 * When a channel no longer shares its history, subscribers can't read what was sent before they came. It was
 * unread if it had moved there, or was marked as unread by hand. It becomes read, and their clients get an
 * event. It stays read when the history is shared again.
 */
export const closedHistories: BeforeCommitHook = {
  projections: [channels.name],
  async run(tx, patches) {
    for (const after of patchesOf(patches, channels).flatMap(({ put }) => put)) {
      const before = tx.state.get(channels).byId.get(after.id);
      if (!before?.isHistoryShared || after.isHistoryShared) continue;
      const userIds = [...tx.state.get(subscribers).of(after.id)];
      if (userIds.length === 0) continue;
      await lockReadState(tx, tx.state.organizationId);
      const limit = announcedLimit(userIds.length);
      const closed = await closeReading(tx, { channelId: after.id, userIds, limit });
      // Nothing is unread in an archived channel.
      if (before.isArchived || after.isArchived) continue;
      for (const { userIds: readers, messageIds } of closed) announceRead(tx, readers, messageIds);
    }
  },
};
