/**
 * What somebody has read is kept by channel and conversation, so a message that moves to another channel takes its read
 * states along. Who marks messages and who moves them must wait for each other, or a mark would stay where the message was.
 * LOCK: an advisory lock of the organization, to the end of the transaction. It is taken before any row, so that nobody who
 * holds it waits for somebody who waits for it.
 */
import type { OrganizationId } from "../../api/ids.ts";
import type { Queryable } from "../db/database.ts";
import { sql } from "../db/sql.ts";
import { TryLater } from "../events/transaction.ts";

/** The class of the lock, in the space of two numbers. */
const LOCK_CLASS = 7204;

/**
 * Messages stay in their channels: for work of `changeContent` that writes down what was read. Many may hold it at once. When
 * it can't be had, the work is to be tried later, so that those who wait for a long move don't hold a connection each.
 */
export async function keepPlaces(tx: Queryable, organizationId: OrganizationId): Promise<void> {
  const [row] = await tx.query<{ isHeld: boolean }>(sql`
    select pg_try_advisory_xact_lock_shared(${LOCK_CLASS}::int, (${organizationId}::bigint % 2147483647)::int) as "isHeld"`);
  if (!row?.isHeld) throw new TryLater();
}

/** The same for work of `changeState`, of which there is one at a time: it waits. */
export async function waitToKeepPlaces(tx: Queryable, organizationId: OrganizationId): Promise<void> {
  await tx.query(
    sql`select pg_advisory_xact_lock_shared(${LOCK_CLASS}::int, (${organizationId}::bigint % 2147483647)::int)`,
  );
}

/** Nobody marks anything as read or unread: for whoever moves messages to another channel. */
export async function changePlaces(tx: Queryable, organizationId: OrganizationId): Promise<void> {
  await tx.query(
    sql`select pg_advisory_xact_lock(${LOCK_CLASS}::int, (${organizationId}::bigint % 2147483647)::int)`,
  );
}
