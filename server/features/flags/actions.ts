import { ApiError, errors } from "../../../api/errors.ts";
import type { ChannelId, MessageId, UserId } from "../../../api/ids.ts";
import type { Change } from "../../platform/log/change.ts";
import { toUsers } from "../../platform/log/log-entry.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { channels } from "../channels/channel.ts";
import { subscribers } from "../channels/subscriptions/subscribers.ts";
import { listReadable, type Readable } from "../messages/access.ts";
import { forgetReadBySender } from "../messages/actions.ts";
import { hasFlag, messageFacts, personalFlags } from "../messages/model/message.ts";
import type { PersonalRow } from "../messages/query/fetch.ts";
import { lockMessagesAgainstChange, tryShareReadStateLock } from "../messages/read-state/read-state-lock.ts";
import { mutedUsers } from "../muted-users/muted-users.ts";
import type { Viewer } from "../users/viewer.ts";
import { presentDetails } from "./event-serializer.ts";
import type { FlagChange } from "./flag.ts";
import { deleteFlags, deleteRead, insertFlags, insertRead } from "./store.ts";

type Target = Readable<PersonalRow & { topic: string | null }>;

export interface ChangedFlags {
  messageIds: MessageId[];
  /** Channels whose messages stay read because the viewer is not subscribed to them. */
  skippedChannelIds: ChannelId[];
}

/**
 * Sets or clears a flag of the viewer's on messages (spec E6); the viewer's clients hear which ones changed. An id that the
 * viewer can't read makes it fail with "Invalid message(s)"; it is passed over where messages are marked read.
 */
export async function updateFlags(tx: Change, viewer: Viewer, change: FlagChange): Promise<ChangedFlags> {
  const targets = await lockReadable(tx, viewer, change);
  if (targets.length < new Set(change.messageIds).size && !marksRead(change))
    throw new ApiError(errors.invalidMessage);
  return setFlags(tx, viewer, change, targets);
}

/** The same for messages that a search found; one that is gone by now is passed over. */
export async function updateFoundFlags(
  tx: Change,
  viewer: Viewer,
  change: FlagChange,
): Promise<ChangedFlags> {
  return setFlags(tx, viewer, change, await lockReadable(tx, viewer, change));
}

/**
 * The messages as they are until the commit. Of one that is being deleted nothing may be told after it, or clients would keep
 * a star, or an unread message, of which they never hear again; that something gone is read does no harm, and the rows of
 * what thousands read at once are better left alone.
 * LOCK: messages before places, since who waits for a message may be about to wait for places.
 */
async function lockReadable(tx: Change, { user }: Viewer, change: FlagChange): Promise<Target[]> {
  const { organizationId } = tx.state;
  const ids = [...new Set(change.messageIds)];
  if (!marksRead(change)) await lockMessagesAgainstChange(tx, organizationId, ids);
  if (change.flag === "read") await tryShareReadStateLock(tx, organizationId);
  return listReadable({ state: tx.state, user }, tx, ids);
}

function marksRead({ op, flag }: FlagChange): boolean {
  return flag === "read" && op === "add";
}

async function setFlags(
  tx: Change,
  viewer: Viewer,
  change: FlagChange,
  targets: readonly Target[],
): Promise<ChangedFlags> {
  if (change.flag === "read")
    return change.op === "add" ? markRead(tx, viewer, targets) : markUnread(tx, viewer, targets);
  const changed = await updateMarks(tx, viewer.user.id, targets, change);
  announce(tx, viewer, change, changed);
  return { messageIds: idsOf(changed), skippedChannelIds: [] };
}

async function markRead(tx: Change, viewer: Viewer, targets: readonly Target[]): Promise<ChangedFlags> {
  const changed = targets.filter(({ isRead }) => !isRead);
  if (changed.length > 0) {
    const { organizationId } = tx.state;
    const { id: userId } = viewer.user;
    const hasMuted = tx.state.get(mutedUsers).hasEverMuted(userId);
    await insertRead(tx, organizationId, userId, idsOf(changed), { hasMuted });
  }
  announce(tx, viewer, { op: "add", flag: "read" }, changed);
  return { messageIds: idsOf(changed), skippedChannelIds: [] };
}

async function markUnread(tx: Change, viewer: Viewer, targets: readonly Target[]): Promise<ChangedFlags> {
  const { organizationId } = tx.state;
  const userId = viewer.user.id;
  const isSkipped = ({ row }: Target) =>
    row.userIds === null && countsAsRead(tx.state, row.recipientId as ChannelId, userId);
  const changed = targets.filter((target) => target.isRead && !isSkipped(target));
  if (changed.length > 0) {
    const own = changed.filter(
      ({ row }) => row.senderId === userId && hasFlag(row.facts, messageFacts.readBySender),
    );
    if (own.length > 0) await forgetReadBySender(tx, organizationId, userId, idsOf(own));
    const cameRead = changed.filter(({ row }) => hasFlag(row.personal, personalFlags.readOnArrival));
    if (cameRead.length > 0)
      await deleteFlags(tx, organizationId, userId, idsOf(cameRead), personalFlags.readOnArrival);
    await deleteRead(
      tx,
      organizationId,
      userId,
      changed.map(({ row, isEarlier }) => ({ id: row.id, recipientId: row.recipientId, isEarlier })),
    );
  }
  announce(tx, viewer, { op: "remove", flag: "read" }, changed);
  const skipped = targets.filter(isSkipped).map(({ row }) => row.recipientId as ChannelId);
  return { messageIds: idsOf(changed), skippedChannelIds: [...new Set(skipped)] };
}

/** Nothing is unread for who is not subscribed, and in an archived channel. */
function countsAsRead(state: OrganizationState, channelId: ChannelId, userId: UserId): boolean {
  const isArchived = state.get(channels).byId.get(channelId)?.isArchived === true;
  return isArchived || !state.get(subscribers).has(channelId, userId);
}

async function updateMarks(
  tx: Change,
  userId: UserId,
  targets: readonly Target[],
  { op, flag }: FlagChange,
): Promise<readonly Target[]> {
  const bit = flag === "starred" ? personalFlags.starred : personalFlags.collapsed;
  const changed = targets.filter(({ row }) => hasFlag(row.personal, bit) === (op === "remove"));
  if (changed.length === 0) return changed;
  const update = op === "add" ? insertFlags : deleteFlags;
  await update(tx, tx.state.organizationId, userId, idsOf(changed), bit);
  return changed;
}

function announce(
  tx: Change,
  { user }: Viewer,
  { op, flag }: Pick<FlagChange, "op" | "flag">,
  changed: readonly Target[],
): void {
  if (changed.length === 0) return;
  const isUnread = flag === "read" && op === "remove";
  tx.appendRaw(
    {
      type: "update_message_flags",
      op,
      operation: op,
      flag,
      messages: idsOf(changed),
      all: false,
      ...(isUnread && { message_details: presentDetails(tx.state, user, changed) }),
    },
    toUsers([user.id]),
  );
}

function idsOf(targets: readonly Target[]): MessageId[] {
  return targets.map(({ row }) => row.id);
}
