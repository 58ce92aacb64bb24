/** The operations on read states for the modules above, in the organization of the change. */
import type { ChannelId, MessageId, Position, RecipientId, TopicId, UserId } from "../../../api/ids.ts";
import type { Queryable } from "../../platform/db/database.ts";
import type { Change } from "../../platform/log/change.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { fillOldest, type Oversized } from "./bound-store.ts";
import { listUnreadBefore, type MovedFrom, upsertMoved, upsertMovedWithin } from "./carry-store.ts";
import { closeMarkedUnread, type LeftUnread, listLeftUnread } from "./left-store.ts";
import { listReaders } from "./readers-store.ts";
import { deleteMarkedUnread, deleteRead, insertAllRead, insertReadStatement } from "./store.ts";

/**
 * Stores that a person has read messages. `hasMuted`: whether some messages may have been read on
 * arrival, since the person had muted the senders. Returns messages that became read with them, since the
 * person's row would have been too large. An event must name these too.
 */
export async function keepAsRead(
  tx: Change,
  userId: UserId,
  ids: readonly MessageId[],
  { hasMuted } = { hasMuted: false },
): Promise<MessageId[]> {
  const statement = insertReadStatement(tx.state.organizationId, [{ userId, ids, hasMuted }]);
  return bound(tx, userId, await tx.query<Oversized>(statement));
}

/**
 * Stores that a person has read a message that is sent in this change. Nothing else becomes read: their row
 * may be too large by one until the next call of `keepAsRead`.
 */
export async function keepNewAsRead(tx: Change, userId: UserId, id: MessageId): Promise<void> {
  await tx.query(insertReadStatement(tx.state.organizationId, [{ userId, ids: [id], hasMuted: false }]));
}

async function bound(tx: Change, userId: UserId, rows: readonly Oversized[]): Promise<MessageId[]> {
  const filled: MessageId[][] = [];
  for (const row of rows) filled.push(await fillOldest(tx, tx.state.organizationId, userId, row));
  return filled.flat();
}

/** Stores that a person has read everything received. Returns the log's head up to which that holds. */
export function keepAllAsRead(tx: Change, userId: UserId): Promise<Position> {
  return insertAllRead(tx, tx.state.organizationId, userId);
}

/**
 * `isEarlier`: the message is from before the person's present subscription. Returns messages that became
 * read, as `keepAsRead` does.
 */
export async function keepAsUnread(
  tx: Change,
  userId: UserId,
  messages: readonly { id: MessageId; isEarlier: boolean }[],
): Promise<MessageId[]> {
  return bound(tx, userId, await deleteRead(tx, tx.state.organizationId, userId, messages));
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
  to: { id: ChannelId; topicId: TopicId; isHistoryShared: boolean },
  subscribers: MovedFrom,
): Promise<void> {
  await upsertMoved(tx, tx.state.organizationId, to, subscribers);
}

/** The same after a move to another topic of the channel, for everybody. */
export async function carryReadStatesWithin(
  tx: Change,
  move: { ids: readonly MessageId[]; channelId: ChannelId; from: TopicId; to: TopicId },
): Promise<void> {
  await upsertMovedWithin(tx, tx.state.organizationId, move);
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
  message: { id: MessageId; recipientId: RecipientId; topicId: TopicId | null },
  { among, askerId }: { among: readonly UserId[]; askerId: UserId },
): Promise<UserId[]> {
  return listReaders(tx, state.organizationId, message, among, askerId);
}
