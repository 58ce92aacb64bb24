import type { UserId } from "../../../api/ids.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { lockClasses, lockToCommit } from "../../platform/db/locks.ts";

/**
 * Changes of what one person keeps for themselves run one after another. So a limit of how many things one
 * person keeps holds, and an event that lists all of them is true at its place in the log.
 *
 * LOCK: an advisory lock of the person, to the end of the transaction, before any of these rows.
 */
export async function lockOwnLists(tx: Queryable, userId: UserId): Promise<void> {
  await lockToCommit(tx, lockClasses.ownLists, userId);
}
