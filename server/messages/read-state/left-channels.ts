import type { ChannelId, UserId } from "../../../api/ids.ts";
import { channels } from "../../channels/channel.ts";
import { subscribers } from "../../channels/subscriptions/subscribers.ts";
import { type BeforeCommitHook, patchesOf } from "../../platform/log/before-commit-hook.ts";
import type { Change } from "../../platform/log/change.ts";
import { announceRead } from "./events.ts";
import { findLeftUnread, forgetMarkedUnread } from "./ranges.ts";
import { lockReadState } from "./read-state-lock.ts";
import { MAX_UNREAD } from "./unread-store.ts";

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
    const positionRef = await tx.positionRef();
    // Sent together: the connection executes them in this order, the lock first.
    const [, ...unread] = await Promise.all([
      lockReadState(tx, tx.state.organizationId),
      ...left.map(({ channelId, removed = [] }) => endReading(tx, channelId, removed, positionRef)),
    ]);
    for (const { userIds, messageIds } of unread.flat()) announceRead(tx, userIds, messageIds);
  },
};

/** How many messages are announced to each of this many people who leave a channel at once. */
export function announcedLimit(leaverCount: number): number {
  return Math.min(MAX_UNREAD, Math.ceil(MAX_ANNOUNCED / leaverCount));
}

/** Returns what becomes read. */
async function endReading(
  tx: Change,
  channelId: ChannelId,
  leaverIds: readonly UserId[],
  positionRef: number,
) {
  const limit = announcedLimit(leaverIds.length);
  // Nothing is unread in an archived channel.
  const isArchived = tx.state.get(channels).byId.get(channelId)?.isArchived;
  const [unread] = await Promise.all([
    isArchived ? [] : findLeftUnread(tx, { channelId, userIds: leaverIds, positionRef, limit }),
    forgetMarkedUnread(tx, channelId, leaverIds),
  ]);
  return unread;
}
