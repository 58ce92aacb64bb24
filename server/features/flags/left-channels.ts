import type { ChannelId, UserId } from "../../../api/ids.ts";
import type { BeforeCommitHook } from "../../platform/log/before-commit-hook.ts";
import type { Change } from "../../platform/log/change.ts";
import { channels } from "../channels/channel.ts";
import { type SubscribersPatch, subscribers } from "../channels/subscriptions/subscribers.ts";
import { announceRead } from "../messages/read-state/announce-read.ts";
import { lockReadState } from "../messages/read-state/read-state-lock.ts";
import { listLeftUnread } from "./left-unread.ts";
import { deleteMarkedUnread } from "./store.ts";

/**
 * Who leaves a channel has nothing unread in it any more: after the end of their subscription they hear which messages
 * that concerns. What they had marked unread by hand stays read when they come back.
 */
export const leftChannels: BeforeCommitHook = {
  projections: [subscribers.name],
  async run(tx, patches) {
    const changes = patches.flatMap(({ patch }) => patch as SubscribersPatch);
    const left = changes.filter(({ removed = [] }) => removed.length > 0);
    if (left.length === 0) return;
    await lockReadState(tx, tx.state.organizationId);
    for (const { channelId, removed = [] } of left) {
      await announceLeft(tx, channelId, removed);
      await deleteMarkedUnread(tx, tx.state.organizationId, channelId, removed);
    }
  },
};

async function announceLeft(tx: Change, channelId: ChannelId, leaverIds: readonly UserId[]): Promise<void> {
  // Nothing was unread there.
  if (tx.state.get(channels).byId.get(channelId)?.isArchived) return;
  const left = { channelId, userIds: leaverIds, positionRef: await tx.positionRef() };
  for (const { userIds, messageIds } of await listLeftUnread(tx, tx.state.organizationId, left)) {
    announceRead(tx, userIds, messageIds);
  }
}
