/**
 * Read states are stored by channel and conversation, so a message that moves to another channel takes
 * its read states along. A change of read states and a move wait for each other. Otherwise a read state
 * would stay where the message was. An event about other people's read states waits too. Otherwise it
 * would be out of date when clients get it.
 *
 * LOCK: two advisory locks of the organization, to the end of the transaction. A move takes `readState`
 * before any row. An announcement takes `readStateAnnouncements` after all rows. A change of read states
 * shares both, and afterwards locks no further message row. So no holder of one of the locks waits for a
 * transaction that waits for that lock.
 */
import type { OrganizationId } from "../../../api/ids.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { lockClasses, lockToCommit, shareToCommit, tryShareToCommit } from "../../platform/db/locks.ts";
import { TryLater } from "../../platform/log/change.ts";

const { readState, readStateAnnouncements } = lockClasses;

/**
 * Keeps messages in their channels, for work of `changeContent` that changes read states. Many may hold
 * it at once. Throws `TryLater` during a move, so that work waiting for a long move holds no connection.
 */
export async function tryShareReadStateLock(tx: Queryable, organizationId: OrganizationId): Promise<void> {
  const isHeld = await tryShareToCommit(tx, [readState, readStateAnnouncements], organizationId);
  if (!isHeld) throw new TryLater();
}

/**
 * Keeps messages in their channels, for work of `changeState`. It waits, since such work runs one at a
 * time.
 */
export async function shareReadStateLock(tx: Queryable, organizationId: OrganizationId): Promise<void> {
  await shareToCommit(tx, [readState, readStateAnnouncements], organizationId);
}

/**
 * Keeps everybody from marking anything as read or unread. For moves to another channel and ends of
 * subscriptions.
 */
export async function lockReadState(tx: Queryable, organizationId: OrganizationId): Promise<void> {
  await lockToCommit(tx, readState, organizationId);
}

/**
 * Keeps read states as they are until the commit, for an event about other people's read states. Call it
 * after all rows are written.
 */
export async function lockReadStateAnnouncements(
  tx: Queryable,
  organizationId: OrganizationId,
): Promise<void> {
  await lockToCommit(tx, readStateAnnouncements, organizationId);
}
