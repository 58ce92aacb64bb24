/** The mails that have not left, for those who run the server. Nothing here opens a mail. */
import type { OrganizationId } from "../../../api/ids.ts";
import type { Database } from "../db/database.ts";
import { enqueue } from "../jobs/enqueue.ts";
import { deliverMail } from "./enqueue.ts";
import { listQueue, lockQueued, type QueuedMail, type QueueFilter, rescheduleQueued } from "./queue-store.ts";

/** How many mails of a state are listed. */
export const MAX_LISTED = 200;
const AT_ONCE = 500;

export interface MailQueue {
  /** The newest of each state. */
  mails: QueuedMail[];
  /** How many more there are of each state that has more. */
  more: ReadonlyMap<QueuedMail["state"], number>;
}

export async function readQueue(database: Database, filter: QueueFilter = {}): Promise<MailQueue> {
  const rows = await database.snapshot((tx) => listQueue(tx, filter, MAX_LISTED));
  const more = new Map<QueuedMail["state"], number>();
  for (const { state, count } of rows) if (count > MAX_LISTED) more.set(state, count - MAX_LISTED);
  return { mails: rows.map(({ count: _count, ...mail }) => mail), more };
}

/**
 * Makes mails due now, with all their tries before them. A refused one is tried again. Without `ids` all of
 * the organization, or of the server. Returns the ids of those that were there. One that is being sent at
 * this moment goes on.
 */
export async function retryMails(
  database: Database,
  chosen: { organizationId?: OrganizationId | undefined; ids?: readonly number[] | undefined },
): Promise<number[]> {
  const found: number[] = [];
  for (let after = 0; ; ) {
    const mails = await database.transaction(async (tx) => {
      const locked = await lockQueued(tx, chosen, after, AT_ONCE);
      if (locked.length === 0) return [];
      const without = await rescheduleQueued(
        tx,
        locked.map(({ id }) => id),
      );
      await Promise.all(
        without.map(({ organizationId, id }) => enqueue(tx, deliverMail, { organizationId, mailId: id })),
      );
      return locked;
    });
    const last = mails.at(-1);
    if (!last) return found;
    found.push(...mails.map(({ id }) => id));
    after = last.id;
  }
}
