/**
 * What somebody has read is kept by channel and conversation, so a message that moves to another channel
 * takes its read states along. A change of read states and a move wait for each other: else a read state
 * would stay where the message was. An event that says what others have read waits too: else it would be out
 * of date when clients get it.
 *
 * LOCK: two advisory locks of the organization, to the end of the transaction. A move takes `readState`
 * before any row. An announcement takes `readStateAnnouncements` after all rows. A change of read states
 * shares both, and afterwards takes no message's row that it doesn't have yet. So nobody who holds one of
 * them waits for somebody who waits for it.
 */
import type { OrganizationId } from "../../../api/ids.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { lockClasses, lockToCommit, shareToCommit, tryShareToCommit } from "../../platform/db/locks.ts";
import { TryLater } from "../../platform/log/change.ts";

const { readState, readStateAnnouncements } = lockClasses;

/**
 * Keeps messages in their channels, for work of `changeContent` that changes read states; many may do so at
 * once. Throws `TryLater` during a move, so that work that waits for a long move doesn't hold a connection
 * meanwhile.
 */
export async function tryShareReadStateLock(tx: Queryable, organizationId: OrganizationId): Promise<void> {
  const isHeld = await tryShareToCommit(tx, [readState, readStateAnnouncements], organizationId);
  if (!isHeld) throw new TryLater();
}

/** The same for work of `changeState`, which runs one at a time: it waits. */
export async function shareReadStateLock(tx: Queryable, organizationId: OrganizationId): Promise<void> {
  await shareToCommit(tx, [readState, readStateAnnouncements], organizationId);
}

/**
 * Keeps everybody from marking anything as read or unread, for moves to another channel and ends of
 * subscriptions.
 */
export async function lockReadState(tx: Queryable, organizationId: OrganizationId): Promise<void> {
  await lockToCommit(tx, readState, organizationId);
}

/** The same for an event that says what others have read, after all rows are written. */
export async function lockReadStateAnnouncements(
  tx: Queryable,
  organizationId: OrganizationId,
): Promise<void> {
  await lockToCommit(tx, readStateAnnouncements, organizationId);
}
