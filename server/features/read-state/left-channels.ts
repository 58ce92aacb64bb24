import type { ChannelId, UserId } from "../../../api/ids.ts";
import { type BeforeCommitHook, patchesOf } from "../../platform/log/before-commit-hook.ts";
import type { Change } from "../../platform/log/change.ts";
import { channels } from "../channels/channel.ts";
import { subscribers } from "../channels/subscriptions/subscribers.ts";
import { announceRead } from "../read-ranges/events.ts";
import { findLeftUnread, forgetMarkedUnread } from "../read-ranges/ranges.ts";
import { lockReadState } from "../read-ranges/read-state-lock.ts";
import { MAX_UNREAD } from "./store.ts";

/** How many messages are announced to all leavers together, if their unread messages differ. */
const MAX_ANNOUNCED = 200_000;

/**
 * Nobody has unread messages in a channel that they left. After the end of the subscription their clients
 * get an event with the messages that became read. Messages that were marked as unread by hand stay read
 * when the person comes back.
 */
export const leftChannels: BeforeCommitHook = {
  projections: [subscribers.name],
  async run(tx, patches) {
    const changes = patchesOf(patches, subscribers).flat();
    const left = changes.filter(({ removed = [] }) => removed.length > 0);
    if (left.length === 0) return;
    await lockReadState(tx, tx.state.organizationId);
    for (const { channelId, removed = [] } of left) {
      await announceLeft(tx, channelId, removed);
      await forgetMarkedUnread(tx, channelId, removed);
    }
  },
};

/** How many messages are announced to each of this many people who leave a channel at once. */
export function announcedLimit(leaverCount: number): number {
  return Math.min(MAX_UNREAD, Math.ceil(MAX_ANNOUNCED / leaverCount));
}

async function announceLeft(tx: Change, channelId: ChannelId, leaverIds: readonly UserId[]): Promise<void> {
  // Nothing is unread in an archived channel.
  if (tx.state.get(channels).byId.get(channelId)?.isArchived) return;
  const limit = announcedLimit(leaverIds.length);
  const unread = await findLeftUnread(tx, { channelId, userIds: leaverIds, limit });
  for (const { userIds, messageIds } of unread) announceRead(tx, userIds, messageIds);
}
