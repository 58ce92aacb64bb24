import type { UserId } from "../../../api/ids.ts";
import type { Change } from "../log/change.ts";
import { deleteAllQueues, deleteQueuesOf } from "./store.ts";

/**
 * Deletes the rows of users' queues, so that none of them can be polled again. The caller's change of memory
 * must remove the queues that nodes have in memory (`removeQueue`).
 */
export async function endQueuesOf(tx: Change, userIds: readonly UserId[]): Promise<void> {
  await deleteQueuesOf(tx, tx.state.organizationId, userIds);
}

/** Deletes the rows of all queues of the organization, on the same terms. */
export async function endAllQueues(tx: Change): Promise<void> {
  await deleteAllQueues(tx, tx.state.organizationId);
}
