/**
 * What somebody has read is kept by channel and conversation, so a message that moves to another channel takes its read
 * states along. Who marks messages and who moves them must wait for each other, or a mark would stay where the message was.
 * So must who tells what others have read, or the telling would be out of date when it is heard.
 * LOCK: two advisory locks of the organization, to the end of the transaction. Who moves messages takes the first before any
 * row, who tells of them takes the second after all rows, and who marks them takes both, and no message's row afterwards that
 * they don't have: so nobody who holds one waits for somebody who waits for it.
 */
import type { OrganizationId } from "../../../../api/ids.ts";
import type { Queryable } from "../../../platform/db/database.ts";
import { lockClasses, lockToCommit, shareToCommit, tryShareToCommit } from "../../../platform/db/locks.ts";
import { sql } from "../../../platform/db/sql.ts";
import { TryLater } from "../../../platform/log/change.ts";

const { readState, readStateAnnouncements } = lockClasses;

/**
 * Messages stay in their channels: for work of `changeContent` that writes down what was read. Many may hold it at once. When
 * it can't be had, the work is to be tried later, so that those who wait for a long move don't hold a connection each.
 */
export async function tryShareReadStateLock(tx: Queryable, organizationId: OrganizationId): Promise<void> {
  if (!(await tryShareToCommit(tx, [readState, readStateAnnouncements], organizationId)))
    throw new TryLater();
}

/** The same for work of `changeState`, of which there is one at a time: it waits. */
export async function shareReadStateLock(tx: Queryable, organizationId: OrganizationId): Promise<void> {
  await shareToCommit(tx, [readState, readStateAnnouncements], organizationId);
}

/** Nobody marks anything as read or unread: for whoever moves messages to another channel, or ends subscriptions. */
export async function lockReadState(tx: Queryable, organizationId: OrganizationId): Promise<void> {
  await lockToCommit(tx, readState, organizationId);
}

/** The same for whoever tells of messages what others have read, when all else is done. */
export async function lockReadStateAnnouncements(
  tx: Queryable,
  organizationId: OrganizationId,
): Promise<void> {
  await lockToCommit(tx, readStateAnnouncements, organizationId);
}

/**
 * Messages are not deleted or changed: for whoever marks them, beside others who do. They are taken before the places.
 * LOCK: the messages' rows, always in one order, to the end of the transaction.
 */
export async function lockMessagesAgainstChange(
  tx: Queryable,
  organizationId: OrganizationId,
  ids: readonly number[],
): Promise<void> {
  await tx.query(sql`
    select from messages where organization_id = ${organizationId} and id = any(${ids}::bigint[])
    order by id for key share`);
}
