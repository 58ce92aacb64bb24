/** What the modules above do with read states; the organization is that of the change. */
import type { ChannelId, MessageId, Position, RecipientId, UserId } from "../../../api/ids.ts";
import type { Queryable } from "../../platform/db/database.ts";
import type { Change } from "../../platform/log/change.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import {
  deleteMarkedUnread,
  deleteRead,
  insertAllRead,
  insertRead,
  listLeftUnread,
  listReaders,
  listUnreadBefore,
  type MovedFrom,
  upsertMoved,
} from "./store.ts";

/**
 * Keeps messages as read by a person. `hasMuted`: whether some of their messages may have been read when they
 * came, since they had muted the senders.
 */
export async function keepAsRead(
  tx: Change,
  userId: UserId,
  ids: readonly MessageId[],
  options?: { hasMuted: boolean },
): Promise<void> {
  await insertRead(tx, tx.state.organizationId, userId, ids, options);
}

/** Keeps everything that a person has received as read. Returns the log's head up to which that holds. */
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

/** Forgets what people had marked unread in a channel. To be called under `lockReadState`. */
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
export async function carryReadStates(tx: Change, to: ChannelId, subscribers: MovedFrom): Promise<void> {
  await upsertMoved(tx, tx.state.organizationId, to, subscribers);
}

/**
 * What these people had not read of messages before they moved; people who had read all of them are left out.
 */
export function findUnreadBefore(
  tx: Change,
  readers: MovedFrom,
): Promise<{ userId: UserId; ids: MessageId[] }[]> {
  return listUnreadBefore(tx, tx.state.organizationId, readers);
}

/**
 * What people who leave a channel in this change have not read of it: at most `limit` messages, the newest.
 */
export async function findLeftUnread(
  tx: Change,
  left: { channelId: ChannelId; userIds: readonly UserId[]; limit: number },
): Promise<{ userIds: UserId[]; messageIds: MessageId[] }[]> {
  const positionRef = await tx.positionRef();
  return listLeftUnread(tx, tx.state.organizationId, { ...left, positionRef });
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
