import { ApiError, errors } from "../../../api/errors.ts";
import type { ChannelId, MessageId, UserId } from "../../../api/ids.ts";
import { mutedUsers } from "../../attention/muted-users/muted-users.ts";
import { channels } from "../../channels/channel.ts";
import { subscribers } from "../../channels/subscriptions/subscribers.ts";
import type { ViewerChange } from "../../people/viewer/change.ts";
import { TryLater } from "../../platform/log/change.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { listReadable, type Readable } from "../access.ts";
import { forgetReadBySender } from "../actions.ts";
import { clearPersonalFlag, lockMessagesAgainstChange, setPersonalFlag } from "../model/flags.ts";
import type { PersonalRow } from "../model/message.ts";
import { hasFlag, messageFacts, personalFlags } from "../model/message.ts";
import { announceFlag, announceRead } from "./events.ts";
import { presentDetails } from "./present.ts";
import { keepAsRead, keepAsUnread } from "./ranges.ts";
import { isNoticeReadOf } from "./read-state.ts";
import { type SharedPlaces, trySharePlacesOf } from "./read-state-lock.ts";

type Target = Readable<PersonalRow & { topic: string | null }>;

/**
 * Marks messages as read for the viewer. The viewer's clients get an event with the changed messages.
 * Messages that the viewer can't read are ignored. No lock keeps a message from being deleted meanwhile,
 * because marking a deleted message does no harm. Thousands of people may read one message at once, so its
 * row should not be locked.
 */
export async function markAsRead(tx: ViewerChange, messageIds: readonly number[]): Promise<MessageId[]> {
  const { state, viewer } = tx;
  const userId = viewer.user.id;
  const ids = [...new Set(messageIds)];
  const places = await trySharePlacesOf(tx, state.organizationId, userId, ids);
  const targets = await listReadable({ state, user: viewer.user }, tx, ids);
  checkPlaces(targets, places);
  const changed = idsOf(targets.filter(({ isRead }) => !isRead));
  if (changed.length > 0) {
    const hasMuted = state.get(mutedUsers).hasEverMuted(userId);
    changed.push(...(await keepAsRead(tx, userId, changed, { hasMuted })));
    announceRead(tx, [userId], changed);
  }
  return changed;
}

export interface MarkedUnread {
  messageIds: MessageId[];
  /** Channels whose messages stay read because the viewer is not subscribed to them. */
  skippedChannelIds: ChannelId[];
}

/**
 * Marks messages as unread for the viewer. The viewer's clients get an event with the changed messages. A
 * message that the viewer can't read is ignored or, if the caller says so, refused with "Invalid message(s)".
 * LOCK: messages before read states: a change that waits for a message may be about to wait for read states.
 */
export async function markAsUnread(
  tx: ViewerChange,
  messageIds: readonly number[],
  { unreadable }: { unreadable: "ignored" | "refused" },
): Promise<MarkedUnread> {
  const { state, viewer } = tx;
  const { user } = viewer;
  const ids = [...new Set(messageIds)];
  await lockMessagesAgainstChange(tx, ids);
  const places = await trySharePlacesOf(tx, state.organizationId, user.id, ids);
  const targets = await listReadable({ state, user }, tx, ids);
  checkPlaces(targets, places);
  if (unreadable === "refused" && targets.length < ids.length) throw new ApiError(errors.invalidMessage);
  const isSkipped = ({ row }: Target) =>
    row.userIds === null && countsAsRead(state, row.recipientId as ChannelId, user.id);
  const changed = targets.filter((target) => target.isRead && !isSkipped(target));
  if (changed.length > 0) {
    const filled = await keepTargetsAsUnread(tx, changed);
    const details = presentDetails(state, user, changed);
    announceFlag(tx, [user.id], { op: "remove", flag: "read", messages: idsOf(changed), details });
    if (filled.length > 0) announceRead(tx, [user.id], filled);
  }
  const skipped = targets.filter(isSkipped).map(({ row }) => row.recipientId as ChannelId);
  return { messageIds: idsOf(changed), skippedChannelIds: [...new Set(skipped)] };
}

async function keepTargetsAsUnread(tx: ViewerChange, targets: readonly Target[]): Promise<MessageId[]> {
  const userId = tx.viewer.user.id;
  const own = targets.filter(
    ({ row }) => row.senderId === userId && hasFlag(row.facts, messageFacts.readBySender),
  );
  if (own.length > 0) await forgetReadBySender(tx, tx.state.organizationId, userId, idsOf(own));
  const cameRead = targets.filter(({ row }) => hasFlag(row.personal, personalFlags.readOnArrival));
  if (cameRead.length > 0) await clearPersonalFlag(tx, userId, idsOf(cameRead), personalFlags.readOnArrival);
  const notices = targets.filter(({ row }) => isNoticeReadOf(row, row.personal));
  if (notices.length > 0) await setPersonalFlag(tx, userId, idsOf(notices), personalFlags.unreadOnArrival);
  return keepAsUnread(
    tx,
    userId,
    targets.map(({ row, isEarlier }) => ({ id: row.id, isEarlier })),
  );
}

/** Throws `TryLater` if a message moved away from the places that are locked. */
function checkPlaces(targets: readonly Target[], places: SharedPlaces): void {
  if (!targets.every(({ row }) => places.has(row.topicId ?? row.recipientId))) throw new TryLater();
}

/** Nothing is unread in a channel that is archived or that the person is not subscribed to. */
function countsAsRead(state: OrganizationState, channelId: ChannelId, userId: UserId): boolean {
  const isArchived = state.get(channels).byId.get(channelId)?.isArchived === true;
  return isArchived || !state.get(subscribers).has(channelId, userId);
}

function idsOf(targets: readonly Target[]): MessageId[] {
  return targets.map(({ row }) => row.id);
}
