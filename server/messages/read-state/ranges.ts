/** The operations on read states for the modules above, in the organization of the change. */
import type { ChannelId, MessageId, Position, RecipientId, UserId } from "../../../api/ids.ts";
import type { Queryable } from "../../platform/db/database.ts";
import type { Change } from "../../platform/log/change.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import {
  closeMarkedUnread,
  deleteMarkedUnread,
  deleteRead,
  insertAllRead,
  insertRead,
  type LeftUnread,
  listLeftUnread,
  listReaders,
  listUnreadBefore,
  type MovedFrom,
  upsertMoved,
} from "./store.ts";

/**
 * Stores that a person has read messages. `hasMuted`: whether some messages may have been read on
 * arrival, since the person had muted the senders.
 */
export async function keepAsRead(
  tx: Change,
  userId: UserId,
  ids: readonly MessageId[],
  options?: { hasMuted: boolean },
): Promise<void> {
  await insertRead(tx, tx.state.organizationId, userId, ids, options);
}

/** Stores that a person has read everything received. Returns the log's head up to which that holds. */
export function keepAllAsRead(tx: Change, userId: UserId): Promise<Position> {
  return insertAllRead(tx, tx.state.organizationId, userId);
}

/** `isEarlier`: the message is from before the person's present subscription. */
export async function keepAsUnread(
  tx: Change,
  userId: UserId,
  messages: readonly { id: MessageId; recipientId: RecipientId; isEarlier: boolean }[],
): Promise<void> {
  await deleteRead(tx, tx.state.organizationId, userId, messages);
}

/** Deletes what people had marked as unread in a channel. Must be called under `lockReadState`. */
export async function forgetMarkedUnread(
  tx: Change,
  channelId: ChannelId,
  userIds: readonly UserId[],
): Promise<void> {
  await deleteMarkedUnread(tx, tx.state.organizationId, channelId, userIds);
}

/**
 * After a move to another channel: messages stay as read or unread there as they were for these of its
 * subscribers.
 */
export async function carryReadStates(
  tx: Change,
  to: { id: ChannelId; isHistoryShared: boolean },
  subscribers: MovedFrom,
): Promise<void> {
  await upsertMoved(tx, tx.state.organizationId, to, subscribers);
}

/**
 * The messages that these people had not read before a move. People who had read all of them are left
 * out.
 */
export function findUnreadBefore(
  tx: Change,
  readers: MovedFrom,
): Promise<{ userId: UserId; ids: MessageId[] }[]> {
  return listUnreadBefore(tx, tx.state.organizationId, readers);
}

/** The unread messages of people who leave a channel in this change: at most the `limit` newest. */
export function findLeftUnread(
  tx: Change,
  left: { channelId: ChannelId; userIds: readonly UserId[]; positionRef: number; limit: number },
): Promise<LeftUnread[]> {
  return listLeftUnread(tx, tx.state.organizationId, left);
}

/**
 * What people had as unread in a channel becomes read where they were not subscribed when it was sent.
 * Returns the `limit` newest of these messages for each person. Must be called under `lockReadState`.
 */
export function closeReading(
  tx: Change,
  closed: { channelId: ChannelId; userIds: readonly UserId[]; limit: number },
): Promise<LeftUnread[]> {
  return closeMarkedUnread(tx, tx.state.organizationId, closed);
}

/** Which of these people have read a message, as far as the asker may know. */
export function findReaders(
  state: OrganizationState,
  tx: Queryable,
  message: { id: MessageId; recipientId: RecipientId },
  { among, askerId }: { among: readonly UserId[]; askerId: UserId },
): Promise<UserId[]> {
  return listReaders(tx, state.organizationId, message, among, askerId);
}
